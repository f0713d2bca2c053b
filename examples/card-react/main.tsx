// A React app that shows the questions of an Askline server on another origin. Its own back end (host.mjs) gives it a
// short-lived token for the user who is signed in.

import type { Ask } from "askline";
import { type Client, connect } from "askline/client";
import { AsklineCard, AsklineInbox, useAskForm, useInbox } from "askline/react";
import { StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

interface Access {
  readonly url: string;
  readonly person: string;
  readonly token: string;
  readonly expiresAt: number;
}

const MINUTE = 60_000;

/** A client for the user, replaced before its token expires. Unsent answers are drafts on the server. */
function useClient(): { readonly client: Client; readonly person: string } | undefined {
  const [access, setAccess] = useState<Access>();
  const [client, setClient] = useState<Client>();
  useEffect(() => {
    const renew = async (): Promise<void> => {
      const response = await fetch("/api/askline-token", { method: "POST" });
      setAccess((await response.json()) as Access);
    };
    if (access === undefined) {
      void renew();
      return;
    }
    const made = connect({ url: access.url, token: access.token });
    setClient(made);
    const timer = setTimeout(() => void renew(), access.expiresAt - Date.now() - MINUTE);
    return () => {
      clearTimeout(timer);
      void made.close();
    };
  }, [access]);
  return client === undefined || access === undefined ? undefined : { client, person: access.person };
}

function App() {
  const access = useClient();
  const { asks, loading, error } = useInbox(access?.client);
  const [shown, setShown] = useState<readonly string[]>([]);
  // A question stays on the page after it was answered, with its answer.
  const fresh = asks.map(({ id }) => id).filter((id) => !shown.includes(id));
  if (fresh.length > 0) setShown([...shown, ...fresh]);
  if (error !== undefined) return <p role="alert">The questions cannot be loaded.</p>;
  if (access === undefined || loading) return <p>Loading…</p>;
  // The whole inbox, with history, in the place of a list of your own.
  if (location.hash === "#inbox") return <AsklineInbox client={access.client} person={access.person} />;
  return (
    <main>
      <h1>{asks.length === 0 ? "Nothing is waiting for you" : `${asks.length} waiting for you`}</h1>
      {shown.map((id) => {
        const ask = asks.find((one) => one.id === id);
        return ask?.session === "quick" ? (
          <Quick key={id} ask={ask} client={access.client} person={access.person} />
        ) : (
          <AsklineCard key={id} askId={id} client={access.client} person={access.person} />
        );
      })}
    </main>
  );
}

/** The app's own markup for a question with a few choices. */
function Quick({ ask, client, person }: { ask: Ask; client: Client; person: string }) {
  const { view, dispatch } = useAskForm(ask, { client, person, surface: "our-app", answerOnPick: true });
  return (
    <fieldset disabled={view.phase !== "open"}>
      <legend>{ask.questions[0]?.question}</legend>
      {view.rows.map(
        (row) =>
          row.kind === "option" && (
            <button key={row.key} type="button" onClick={() => dispatch({ type: "pick", row: row.key })}>
              {row.option.label}
            </button>
          ),
      )}
      {view.refused !== undefined && <p role="alert">Not sent: {view.refused}</p>}
    </fieldset>
  );
}

const root = document.getElementById("app");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
