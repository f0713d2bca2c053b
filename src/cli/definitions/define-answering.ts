import type { Command } from "commander";
import { createFlagRecorder } from "../answering/answer-flags.js";
import type { AnswerCommandFlags } from "../commands/answer.js";
import type { DecideCommandFlags } from "../commands/decide.js";
import { collect, type Define, examples, withRemote } from "./context.js";

const ID = "the ask: its id, or at least four characters from the beginning or end of it";

/** Commands that end an ask. */
export const defineAnswering: Define = (program, { world, end }) => {
  const recorder = createFlagRecorder();
  withRemote(program.command("answer").description("answer the questions of an ask"))
    .argument("<id>", ID)
    .argument("[answers...]", "question=choice for each: q2=1,3, q3=other my own words, q4= to skip")
    .option("-p, --pick <choice>", "an option by number, id or label; repeat it", recorder.record("pick"))
    .option("-t, --text <text>", "an answer in your own words", recorder.record("text"))
    .option("-n, --note <text>", "a note to this answer", recorder.record("note"))
    .option(
      "-q, --question <id>",
      "what the flags behind it answer: id, number or header",
      recorder.record("question"),
    )
    .option("--skip", "leave the question blank, where the ask allows it")
    .on("option:skip", () => recorder.recordSkip())
    .option("--overall-note <text>", "a note to all answers together")
    .option("-f, --file <path>", "the whole answer as JSON, as the HTTP API takes it; - is stdin")
    .addHelpText("after", ANSWER_EXAMPLES)
    .action(async (id: string, values: readonly string[], _flags, command: Command) => {
      const { runAnswer } = await import("../commands/answer.js");
      const flags = command.optsWithGlobals() as AnswerCommandFlags;
      end(await runAnswer(id, values, recorder.flags, flags, world));
    });

  for (const verdict of ["approve", "reject"] as const) {
    const other = verdict === "approve" ? "reject" : "approve";
    const command = withRemote(
      program.command(verdict).description(`${verdict} the actions of an approval, all or some`),
    )
      .argument("<id>", ID)
      .option("--action <action>", "only this one, by id, number or name; repeat it", collect)
      .option(`--${other}-rest`, `${other} the actions that are not named`)
      .option("--note <text>", "a note to the whole decision")
      .option("--reason <text>", "why an action is rejected");
    if (verdict === "approve") command.option("--args <json>", "run it with these arguments instead");
    command
      .addHelpText("after", verdict === "approve" ? APPROVE_EXAMPLES : REJECT_EXAMPLES)
      .action(async (id: string, _flags, self: Command) => {
        const { runDecide } = await import("../commands/decide.js");
        end(await runDecide(verdict, id, self.optsWithGlobals() as DecideCommandFlags, world));
      });
  }

  withRemote(program.command("decline").description("refuse to answer"))
    .argument("<id>", ID)
    .argument("[reason]", "why")
    .addHelpText("after", examples("askline decline 3f9a12bc", 'askline decline 3f9a12bc "not my decision"'))
    .action(async (id: string, reason: string | undefined, _flags, command: Command) => {
      const { runDecline } = await import("../commands/end.js");
      end(await runDecline(id, reason, command.optsWithGlobals(), world));
    });

  withRemote(program.command("reply").description("say something instead of choosing"))
    .argument("<id>", ID)
    .argument("<text>", "what to say")
    .addHelpText("after", examples('askline reply 3f9a12bc "What does the second one cost?"'))
    .action(async (id: string, text: string, _flags, command: Command) => {
      const { runReply } = await import("../commands/end.js");
      end(await runReply(id, text, command.optsWithGlobals(), world));
    });

  withRemote(program.command("withdraw").description("take an ask back, as the agent that asked"))
    .argument("<id>", ID)
    .argument("[reason]", "why")
    .addHelpText("after", examples("askline withdraw 3f9a12bc"))
    .action(async (id: string, reason: string | undefined, _flags, command: Command) => {
      const { runWithdraw } = await import("../commands/end.js");
      end(await runWithdraw(id, reason, command.optsWithGlobals(), world));
    });
};

const ANSWER_EXAMPLES = `
Numbers are those that "askline show" prints. With several questions, name each.
${examples(
  "askline answer 3f9a12bc --pick 2",
  'askline answer 3f9a12bc --pick Go --pick Zig --text "and C" --note "in this order"',
  'askline answer 3f9a12bc q1=2 q2=1,3 q3="other something else"',
  'askline answer 3f9a12bc --question q1 --pick 2 --question q2 --text "in May"',
  'echo \'{"answers":[{"question":"q1","selected":["o2"]}]}\' | askline answer 3f9a12bc --file -',
)}`;

const APPROVE_EXAMPLES = examples(
  "askline approve 3f9a12bc",
  'askline approve 3f9a12bc --args \'{"to":"staging"}\'',
  "askline approve 3f9a12bc --action a1 --reject-rest",
);

const REJECT_EXAMPLES = examples(
  'askline reject 3f9a12bc --reason "not on a Friday"',
  "askline reject 3f9a12bc --action deploy --approve-rest",
);
