import type { Actor } from './actor.ts';
import { clickElement } from './clicks.ts';
import { typeCommand, useMessageShortcut, useShortcut } from './commands.ts';
import { personOf, sourceOf } from './locate.ts';
import { closeModal, fillInputs, submitView } from './modals.ts';
import { askForOptions, findPicker } from './pickers.ts';
import { inviteBot, openHome, removeBot, say } from './talk.ts';
import type { Core } from '../core.ts';
import { channels } from '../people.ts';

/** Acts as one person of the workspace. */
export function actAs(core: Core, userId: string): Actor {
  const person = personOf(core, userId);
  return {
    command: (text, { channel = channels.results.id } = {}) => typeCommand(core, person, text, channel),
    shortcut: (callbackId) => useShortcut(core, person, callbackId),
    messageShortcut: (callbackId, channel, ts) => useMessageShortcut(core, person, callbackId, channel, ts),
    click: (where, what, value = null) => clickElement(core, person, where, what, value),
    async options(where, what, query) {
      const { blocks, ...source } = sourceOf(core, 'blocks' in where ? { view: where } : where, person.id);
      return askForOptions(core, person, source, findPicker(blocks, what), query);
    },
    async fill(view, values) {
      await fillInputs(core, person, view, values);
    },
    submit: (view, values = {}) => submitView(core, person, view, values),
    close: (view, { all = false } = {}) => closeModal(core, person, view, all),
    openHome: () => openHome(core, person),
    say: (channel, text, { threadTs } = {}) => say(core, person, channel, text, threadTs),
    invite: (channel) => inviteBot(core, person, channel),
    remove: (channel) => removeBot(core, person, channel),
  };
}
