import type { AnyMiddlewareArgs, Middleware } from '@slack/bolt';
import type { Audit } from '../governance/audit.ts';

const message = 'This bot serves another workspace.';

/** Lets nothing in that comes from another workspace than the bot's own, and puts it on the record. */
export function createWorkspaceGuard(deps: {
  /** The bot's own workspace; undefined where Slack does not say which it is. */
  ownTeamId: () => Promise<string | undefined>;
  audit: Audit;
  now: () => number;
  newCorrelationId: () => string;
}): Middleware<AnyMiddlewareArgs> {
  return async (args) => {
    const own = await deps.ownTeamId();
    const { team, user } = originOf(args.body);
    if (!own || team === undefined || team === own) return args.next();
    // What is not acknowledged looks to the person like a bot that is down.
    if ('ack' in args && typeof args.ack === 'function') await (args.ack as (text?: string) => Promise<void>)('command' in args ? message : undefined);
    await deps.audit(own, {
      at: deps.now(),
      correlationId: deps.newCorrelationId(),
      by: user,
      operation: 'enter',
      action: 'refused',
      through: args.body && 'type' in args.body ? String(args.body.type) : 'command',
      message: `It came from the workspace ${team.slice(0, 30)}.`,
    });
  };
}

/** The parts of Slack's payloads that tell where they come from: commands and events have `team_id`, the rest `team`. */
interface Body {
  team?: { id?: string } | null;
  team_id?: string;
  user?: { id?: string } | string;
  user_id?: string;
}

function originOf({ team, team_id, user, user_id }: Body): { team: string | undefined; user: string | undefined } {
  return { team: team?.id ?? team_id, user: (typeof user === 'string' ? user : user?.id) ?? user_id };
}
