import type { Check } from '../domain/finding.ts';
import { cutTrailFinding } from './anchored-trail.ts';
import { storeMeaning, trailMeaning } from './check-meanings.ts';
import { contentCheck } from './known-content.ts';
import type { Storage } from './storage.ts';

/** The checks of a store that the bot has open. */
export function storeChecks(
  { ping, content, audit }: Pick<Storage, 'ping' | 'content' | 'audit'>,
  teamId: () => Promise<string>,
): Check[] {
  return [
    {
      ...storeMeaning,
      async look() {
        await ping();
        return undefined;
      },
    },
    contentCheck(content.loss),
    {
      ...trailMeaning,
      async look() {
        const team = await teamId();
        const missing = await audit.missingEnd(team);
        return missing && cutTrailFinding(team, missing);
      },
    },
  ];
}
