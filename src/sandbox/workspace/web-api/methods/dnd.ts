import type { Core } from '../../core.ts';
import type { Person } from '../../model.ts';
import { dailyStretch } from '../../time-zones.ts';
import { ApiError, type Method } from '../method.ts';
import { isListedIn } from './users.ts';

const scopes = ['dnd:read'];

/** https://docs.slack.dev/reference/methods/dnd.teamInfo */
const mostPeople = 50;

/** The times are in seconds. A person without such hours has the times 1, as in Slack's examples. */
function statusOf(core: Core, person: Person) {
  if (person.doNotDisturb === undefined) return { dnd_enabled: false, next_dnd_start_ts: 1, next_dnd_end_ts: 1 };
  const { fromMs, toMs } = dailyStretch(person.doNotDisturb, person.timeZone, core.clock.now());
  return { dnd_enabled: true, next_dnd_start_ts: fromMs / 1000, next_dnd_end_ts: toMs / 1000 };
}

export const dnd: Record<string, Method> = {
  'dnd.teamInfo': {
    tier: 2,
    isPerWorkspace: true,
    scopes,
    run(core, args) {
      const ids = (args.text('users') ?? '').split(',').filter((id) => id !== '');
      if (ids.length === 0) throw new ApiError('no_users_provided');
      if (ids.length > mostPeople) throw new ApiError('too_many_users');
      const known = ids
        .flatMap((id) => core.state.people.get(id) ?? [])
        .filter((person) => isListedIn(core, person, args.text('team_id')));
      return { users: Object.fromEntries(known.map((person) => [person.id, statusOf(core, person)])) };
    },
  },
};
