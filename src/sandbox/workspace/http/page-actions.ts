import { actAs, type Actor } from '../actor/actor.ts';
import type { Core } from '../core.ts';
import { pickKeys } from '../json.ts';
import type { PageAction } from '../page-contract.ts';
import { bot } from '../people.ts';
import { stackOf } from '../view-stacks.ts';

/** Does it, as this person; resolves with what the page needs to know beyond the new state. */
export async function runPageAction(core: Core, userId: string, act: PageAction): Promise<object> {
  const actor = actAs(core, userId);
  switch (act.do) {
    case 'say':
      return { ts: (await actor.say(act.channel, act.text, pickKeys(act, 'threadTs'))).ts };
    case 'command':
      return typeCommand(actor, act.channel, act.text);
    case 'shortcut':
      return { error: (await actor.shortcut(act.callbackId)).error };
    case 'messageShortcut':
      return { error: (await actor.messageShortcut(act.callbackId, act.channel, act.ts)).error };
    case 'click':
      if ('view' in act.where) await actor.fill(act.where.view, act.values);
      return { error: (await actor.click(act.where, act.what, act.value)).error };
    case 'options':
      return actor.options(act.where, act.what, act.query);
    case 'submit': {
      const { errors, failed } = await actor.submit(act.view, act.values);
      return { errors, failed };
    }
    case 'close':
      // Escape pressed twice closes what is closed already.
      if (stackOf(core.state, userId).some((view) => view.id === act.view)) await actor.close(act.view, { all: act.all });
      return {};
    default:
      return { isPublished: (await actor.openHome()) !== undefined };
  }
}

const isAboutBot = (text: string): boolean => text.toLowerCase() === `@${bot.name}`;

/** Commands of the program itself beside those of the bot. */
async function typeCommand(actor: Actor, channel: string, text: string): Promise<object> {
  const [name, who = ''] = text.trim().split(/\s+/);
  if (name === '/invite' && isAboutBot(who)) {
    await actor.invite(channel);
    return {};
  }
  if (name === '/remove' && isAboutBot(who)) {
    await actor.remove(channel);
    return {};
  }
  return { error: (await actor.command(text, { channel })).error };
}
