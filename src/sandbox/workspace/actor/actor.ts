import type { Core } from '../core.ts';
import type { Options, Person, View } from '../model.ts';
import { channels } from '../people.ts';
import { clickElement, closeModal, type EnteredValues, fillInputs, submitView } from './interactions.ts';
import { inviteBot, openHome, removeBot, say, typeCommand, useMessageShortcut, useShortcut } from './conversations.ts';
import { type ChosenFile, type EnteredValue, findPicker, requestOptions } from './entered-values.ts';
import { type ContainerRef, type ElementRef, findSource, requirePerson } from './locate.ts';

export type Actor = ReturnType<typeof actAs>;

/**
 * What a person can do in the workspace. Every method resolves once the bot has acknowledged the request.
 * @throws Error when no person has this id
 */
export function actAs(core: Core, userId: string) {
  const person = requirePerson(core, userId);
  const { ephemerals } = core.state;
  const active = (): Person => {
    ephemerals.touch(person.id);
    return person;
  };
  return {
    /** Types a slash command, by default in #quiz-results. Resolves `@handle` and `#channel` the way Slack does. */
    command: (text: string, { channel = channels.results.id }: { channel?: string } = {}) =>
      typeCommand(core, active(), text, channel),
    shortcut: (callbackId: string) => useShortcut(core, active(), callbackId),
    messageShortcut: (callbackId: string, channel: string, ts: string) =>
      useMessageShortcut(core, active(), callbackId, channel, ts),
    /** Clicks a button or chooses from a menu. Confirms the confirmation dialog, if the element has one. */
    click: (container: ContainerRef, element: ElementRef, value: EnteredValue = null) =>
      clickElement(core, active(), container, element, value),
    /** Types into a picker whose options come from the bot. A string is tried as block id first, then as action id. */
    async options(container: ContainerRef | View, element: ElementRef, query: string): Promise<Options> {
      const containerRef = 'blocks' in container ? { view: container } : container;
      const { blocks, ...source } = findSource(core, containerRef, person.id);
      return requestOptions(core, active(), source, findPicker(blocks, element), query);
    },
    /** Fills inputs without submitting the view. Maps block id to value. */
    async fill(view: View | string, values: EnteredValues): Promise<void> {
      await fillInputs(core, active(), view, values);
    },
    submit: (view: View | string, values: EnteredValues = {}) => submitView(core, active(), view, values),
    /** Closes a view with its Cancel button or Escape, or, with `all`, the whole stack with its ×. */
    async close(view: View | string, { all = false } = {}): Promise<void> {
      closeModal(core, active(), view, all);
    },
    openHome: () => openHome(core, active()),
    /** Posts a message, with files of the person's computer if there are any. */
    say: (
      channel: string,
      text: string,
      { threadTs, files }: { threadTs?: string; files?: readonly ChosenFile[] } = {},
    ) => say(core, active(), channel, text, threadTs, files),
    /** Runs `/invite @Invigilator`. */
    invite: (channel: string) => inviteBot(core, active(), channel),
    /** Runs `/remove @Invigilator`. */
    remove: (channel: string) => removeBot(core, active(), channel),
    /** Closes Slack. Ephemeral messages are lost, those on the screen and those that come before the next action. */
    leave: (): void => ephemerals.leave(person.id),
  };
}
