import { actAs, type Actor } from '../actor/actor.ts';
import type { Core } from '../core.ts';
import { pickKeys } from '../json.ts';
import { changeMembers, setLocale } from '../membership.ts';
import type { Person } from '../model.ts';
import type { PageAction } from '../page-contract.ts';
import { bot } from '../people.ts';
import { stackOf } from '../view-stacks.ts';
import { actsAsIn, choicesFor } from '../workflow-builder/shown.ts';
import { deleteWorkflow, joinNewHires, publishNewHires } from '../workflow-builder/workflows.ts';

/** Runs an action of the page as this person. Resolves with the details that the page state does not contain. */
export async function runPageAction(core: Core, userId: string, action: PageAction): Promise<object> {
  const actor = actAs(core, userId);
  switch (action.do) {
    case 'say':
      return { ts: (await actor.say(action.channel, action.text, pickKeys(action, 'threadTs', 'files'))).ts };
    case 'command':
      return typeCommand(core, actor, action.channel, action.text);
    case 'shortcut':
      return { error: (await actor.shortcut(action.callbackId)).error };
    case 'messageShortcut':
      return { error: (await actor.messageShortcut(action.callbackId, action.channel, action.ts)).error };
    case 'click':
      if ('view' in action.where) await actor.fill(action.where.view, action.values);
      return { error: (await actor.click(action.where, action.what, action.value)).error };
    case 'options':
      return actor.options(action.where, action.what, action.query);
    case 'submit': {
      const { errors, failed } = await actor.submit(action.view, action.values);
      return { errors, failed };
    }
    case 'close':
      // Pressing Escape twice sends a second request for a view that is closed already.
      if (stackOf(core.state, userId).some((view) => view.id === action.view))
        await actor.close(action.view, { all: action.all });
      return {};
    case 'slackbotTools':
      return { tools: await core.slackbot.tools(userId) };
    case 'callTool':
      await core.slackbot.call(userId, action, action.given);
      return {};
    case 'workflowChoices':
      return choicesFor(core, userId);
    case 'publishWorkflow':
      publishNewHires(core, userId, { ...action, actsAs: await actsAsIn(core, userId, action.actsAs) });
      return {};
    case 'deleteWorkflow':
      for (const { id } of core.state.workflows.values()) deleteWorkflow(core, id);
      return {};
    case 'joinNewHires':
      await joinNewHires(core, action.person);
      return {};
    case 'setLocale':
      await setLocale(core, userId, action.locale);
      return {};
    case 'skip':
      void core.clock.skip?.(action.ms);
      return {};
    default:
      return { isPublished: (await actor.openHome()) !== undefined };
  }
}

const isAboutBot = (text: string): boolean => text.toLowerCase() === `@${bot.name}`;

/** Handles `/invite` and `/remove`, which are commands of Slack itself. */
async function typeCommand(core: Core, actor: Actor, channel: string, text: string): Promise<object> {
  const [name, who = ''] = text.trim().split(/\s+/);
  if (name === '/invite' && isAboutBot(who)) {
    await actor.invite(channel);
    return {};
  }
  if (name === '/remove' && isAboutBot(who)) {
    await actor.remove(channel);
    return {};
  }
  const person = personCalled(core, who);
  if (person !== undefined && (name === '/invite' || name === '/remove')) {
    const others = (members: readonly string[]) => members.filter((id) => id !== person.id);
    await changeMembers(core, channel, (members) => (name === '/invite' ? [...members, person.id] : others(members)));
    return {};
  }
  return { error: (await actor.command(text, { channel })).error };
}

/** Somebody who can be in channels. @param who such as `@rosa` */
function personCalled({ state }: Core, who: string): Person | undefined {
  const people = [...state.people.values()].filter(({ isBot, isDeleted }) => isBot !== true && isDeleted !== true);
  return people.find(({ name }) => `@${name}` === who.toLowerCase());
}
