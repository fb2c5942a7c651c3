import type { WebClient } from '@slack/web-api';
import { Keyv } from 'keyv';
import { createPeople } from '../../src/slack/people/people.ts';

type Deps = Parameters<typeof createPeople>[0];

/** The people of a Slack, with what is kept of them in memory unless given. */
export function peopleOf(client: WebClient, deps: Partial<Deps> & Pick<Deps, 'now'>) {
  return createPeople({
    client,
    kept: new Keyv(),
    locales: new Keyv(),
    own: async () => ({ teamId: 'T1', enterpriseId: undefined }),
    teamId: async () => 'T1',
    sleep: async () => {},
    ...deps,
  });
}
