import type { Core } from '../core.ts';
import type { Message, Options, Person, View } from '../model.ts';
import { channels } from '../people.ts';
import {
  clickElement,
  closeModal,
  type EnteredValues,
  fillInputs,
  type Submission,
  submitView,
} from './interactions.ts';
import { inviteBot, openHome, removeBot, say, typeCommand, useMessageShortcut, useShortcut } from './conversations.ts';
import { type ChosenFile, type EnteredValue, findPicker, requestOptions } from './entered-values.ts';
import { type ContainerRef, type ElementRef, findSource, requirePerson } from './locate.ts';
import type { Outcome } from './outcome.ts';

/** What a person can do in the workspace. Every method resolves once the bot has acknowledged the request. */
export interface Actor {
  /** Types a slash command, by default in #quiz-results. Resolves `@handle` and `#channel` the way Slack does. */
  command(text: string, options?: { channel?: string }): Promise<Outcome>;
  shortcut(callbackId: string): Promise<Outcome>;
  messageShortcut(callbackId: string, channel: string, ts: string): Promise<Outcome>;
  /** Clicks a button or chooses from a menu. Confirms the confirmation dialog, if the element has one. */
  click(container: ContainerRef, element: ElementRef, value?: EnteredValue): Promise<Outcome>;
  /** Types into a picker whose options come from the bot. A string is tried as block id first, then as action id. */
  options(container: ContainerRef | View, element: ElementRef, query: string): Promise<Options>;
  /** Fills inputs without submitting the view. Maps block id to value. */
  fill(view: View | string, values: EnteredValues): Promise<void>;
  submit(view: View | string, values?: EnteredValues): Promise<Submission>;
  /** Closes a view with its Cancel button or Escape, or, with `all`, the whole stack with its ×. */
  close(view: View | string, options?: { all?: boolean }): Promise<void>;
  openHome(): Promise<View | undefined>;
  /** Posts a message, with files of the person's computer if there are any. */
  say(channel: string, text: string, options?: { threadTs?: string; files?: readonly ChosenFile[] }): Promise<Message>;
  /** Runs `/invite @Invigilator`. */
  invite(channel: string): Promise<void>;
  /** Runs `/remove @Invigilator`. */
  remove(channel: string): Promise<void>;
  /** Closes Slack. Ephemeral messages are lost, those on the screen and those that come before the next action. */
  leave(): void;
}

/** @throws Error when no person has this id */
export function actAs(core: Core, userId: string): Actor {
  const person = requirePerson(core, userId);
  const { ephemerals } = core.state;
  const active = (): Person => {
    ephemerals.touch(person.id);
    return person;
  };
  return {
    command: (text, { channel = channels.results.id } = {}) => typeCommand(core, active(), text, channel),
    shortcut: (callbackId) => useShortcut(core, active(), callbackId),
    messageShortcut: (callbackId, channel, ts) => useMessageShortcut(core, active(), callbackId, channel, ts),
    click: (container, element, value = null) => clickElement(core, active(), container, element, value),
    async options(container, element, query) {
      const containerRef = 'blocks' in container ? { view: container } : container;
      const { blocks, ...source } = findSource(core, containerRef, person.id);
      return requestOptions(core, active(), source, findPicker(blocks, element), query);
    },
    async fill(view, values) {
      await fillInputs(core, active(), view, values);
    },
    submit: (view, values = {}) => submitView(core, active(), view, values),
    async close(view, { all = false } = {}) {
      closeModal(core, active(), view, all);
    },
    openHome: () => openHome(core, active()),
    say: (channel, text, { threadTs, files } = {}) => say(core, active(), channel, text, threadTs, files),
    invite: (channel) => inviteBot(core, active(), channel),
    remove: (channel) => removeBot(core, active(), channel),
    leave() {
      ephemerals.leave(person.id);
    },
  };
}
