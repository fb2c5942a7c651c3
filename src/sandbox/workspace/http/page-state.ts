import type { Core } from '../core.ts';
import { visibleTo } from '../messages.ts';
import type { Person } from '../model.ts';
import type { PageState } from '../page-contract.ts';
import { botUserId, teamName } from '../people.ts';
import { directMessages, directMessagesId } from '../state.ts';
import { nextDeadline, shownTour } from '../tour.ts';
import { stackOf } from '../view-stacks.ts';
import { shownWorkflow } from '../workflow-builder/shown.ts';

const shownMessages = 200;
const shownCalls = 30;

/** Builds the page's whole state for one person. */
export function pageState(
  core: Core,
  person: Person,
  options: { isBotConnected: boolean; clientId: string },
): PageState {
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
    userGroups: [...state.userGroups.values()],
    direct,
    othersDirect: othersDirect(core, person),
    botUserId,
    botName: core.manifest.features.bot_user.display_name,
    isBotConnected: options.isBotConnected,
    messages: Object.fromEntries(
      [...channels, direct].map((channel) => [
        channel.id,
        visibleTo(state, person.id, channel.id, options.clientId).slice(-shownMessages),
      ]),
    ),
    stack: stackOf(state, person.id),
    home: state.homes.get(person.id) ?? null,
    notices: state.notices.filter((notice) => notice.user === person.id),
    commands: commands.map(({ command, description, usage_hint: usageHint }) => ({
      command,
      description,
      usageHint,
    })),
    shortcuts: shortcuts.map(({ name, callback_id: callbackId, description, type: kind }) => ({
      name,
      callbackId,
      description,
      kind,
    })),
    hasHome: home.home_tab_enabled,
    slackbot: core.slackbot.isOffered()
      ? { calls: state.slackbotCalls.filter(({ user }) => user === person.id).slice(-shownCalls) }
      : null,
    workflow: Object.keys(core.manifest.functions).length === 0 ? null : shownWorkflow(core, person.timeZone),
    links: state.links,
    nowMs: core.clock.now(),
    canSkip: core.clock.skip !== undefined,
    skipping: core.clock.skipping ?? null,
    deadlineMs: nextDeadline(state, core.clock.now()),
    tour: shownTour(core),
  };
}

function othersDirect({ state }: Core, me: Person): PageState['othersDirect'] {
  const sent = Map.groupBy(
    state.messages.filter((message) => message.user === botUserId),
    (message) => message.channel,
  );
  return [...state.people.values()].flatMap((person) => {
    const channel = directMessagesId(person.id);
    const messages = sent.get(channel);
    return person.id === me.id || messages === undefined
      ? []
      : [{ person, channel, sent: messages.slice(-shownMessages).map(({ ts }) => ts) }];
  });
}
