import type { AnyMiddlewareArgs, Middleware } from '@slack/bolt';
import type { Audit } from '../governance/audit.ts';

const message = 'This bot serves another workspace.';

/** Refuses payloads from other workspaces than the bot’s own, and records them. */
export function createWorkspaceGuard(deps: {
  /** The bot’s own workspace; undefined while Slack has not said which it is. */
  ownTeamId: () => Promise<string | undefined>;
  audit: Audit;
  now: () => number;
  newCorrelationId: () => string;
}): Middleware<AnyMiddlewareArgs> {
  return async (args) => {
    const own = await deps.ownTeamId();
    const { team, user } = originOf(args.body);
    if (!own || team === undefined || team === own) return args.next();
    // Without an acknowledgement, Slack shows the person an error of the bot.
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

/** Where a payload comes from: commands and events have `team_id`, other payloads `team`. */
interface Body {
  team?: { id?: string } | null;
  team_id?: string;
  user?: { id?: string } | string;
  user_id?: string;
}

function originOf({ team, team_id, user, user_id }: Body): { team: string | undefined; user: string | undefined } {
  return { team: team?.id ?? team_id, user: (typeof user === 'string' ? user : user?.id) ?? user_id };
}
