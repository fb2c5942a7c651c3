import type { Core } from '../core.ts';
import { visibleTo } from '../messages.ts';
import type { Person } from '../model.ts';
import type { Exchanges, PageState } from '../page-contract.ts';
import { bot, botUserId, teamName } from '../people.ts';
import { directMessages } from '../state.ts';
import { stackOf } from '../view-stacks.ts';

const shownMessages = 200;
const shownExchanges = 100;

/** All that the page shows to one person. */
export function pageState(core: Core, person: Person, isBotConnected: boolean): PageState {
  const { state } = core;
  const direct = directMessages(state, person.id);
  const channels = [...state.channels.values()].filter(
    (channel) => channel.kind !== 'im' && channel.members.includes(person.id),
  );
  const { slash_commands: commands, shortcuts, app_home: home } = core.manifest.features;
  return {
    teamName,
    me: person,
    people: [...state.people.values()],
    channels,
    direct,
    botUserId,
    botName: bot.realName,
    isBotConnected,
    messages: Object.fromEntries(
      [...channels, direct].map((channel) => [
        channel.id,
        visibleTo(state, person.id, channel.id).slice(-shownMessages),
      ]),
    ),
    stack: stackOf(state, person.id),
    home: state.homes.get(person.id) ?? null,
    notices: state.notices.filter((notice) => notice.user === person.id),
    commands: commands.map((one) => ({
      command: one.command,
      description: one.description,
      usageHint: one.usage_hint,
    })),
    shortcuts: shortcuts.map((one) => ({
      name: one.name,
      callbackId: one.callback_id,
      description: one.description,
      kind: one.type,
    })),
    hasHome: home.home_tab_enabled,
    links: state.links,
  };
}

export function exchanges(core: Core): Exchanges {
  return { deliveries: core.state.deliveries.slice(-shownExchanges), calls: core.state.calls.slice(-shownExchanges) };
}
