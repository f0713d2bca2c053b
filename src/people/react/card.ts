/// <reference path="../web/css.d.ts" />
import type { ForwardRefExoticComponent, RefAttributes } from "react";
import { ENDING_TYPES } from "../../core/model/ending.js";
import type { AsklineCard as CardElement, CardEvents } from "../web/index.js";
import "../web/index.js";
import { type ElementProps, elementComponent } from "./element.js";

type Properties = Pick<
  CardElement,
  "ask" | "askId" | "client" | "draft" | "answerOnPick" | "locale" | "person" | "surface" | "previewFrame"
>;

type Handlers = {
  readonly [Name in keyof CardEvents as `on${Capitalize<Name>}`]?:
    | ((event: CustomEvent<CardEvents[Name]>) => unknown)
    | undefined;
};

/**
 * The properties and events of `<askline-card>`; anything else goes to the element. A handler that returns a promise
 * keeps the card sending until it settles, as `event.detail.waitUntil` does.
 */
export type AsklineCardProps = {
  readonly [Name in keyof Properties]?: Properties[Name] | undefined;
} & Handlers &
  ElementProps;

/**
 * `<askline-card>` as a component.
 *
 * `<AsklineCard client={client} askId={ask.id} person="ana" />`, or without a server of ours
 * `<AsklineCard ask={{ questions }} onAnswer={({ detail }) => save(detail.answers)} />`.
 */
export const AsklineCard: ForwardRefExoticComponent<AsklineCardProps & RefAttributes<CardElement>> =
  elementComponent<CardElement, AsklineCardProps>({
    tag: "askline-card",
    properties: [
      "answerOnPick",
      "locale",
      "person",
      "surface",
      "previewFrame",
      "draft",
      "client",
      "askId",
      "ask",
    ],
    events: Object.fromEntries(
      [...ENDING_TYPES, "draft", "settled"].map((name) => [
        `on${name.charAt(0).toUpperCase()}${name.slice(1)}`,
        name,
      ]),
    ),
  });
AsklineCard.displayName = "AsklineCard";
