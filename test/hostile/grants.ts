import { Keyv } from 'keyv';
import { createActingPersons } from '../../src/features/workflows/acting-person.ts';
import { ownTeam, slackIdOf } from './cohort.ts';
import { secrets } from './secrets.ts';

/** What a step has under “Runs with the rights of”, unless it is what the person who set it up was given. */
export const grantKinds = [
  'forged',
  /** Signed for `ivo`, with the ID of somebody else in front. */
  'of another person',
  'of another day',
  'of another workspace',
  'of another secret',
  /** Of a step that has not run since. */
  'of long ago',
] as const;
export type GrantKind = (typeof grantKinds)[number];

const dayMs = 24 * 60 * 60_000;
/** docs/workflows.md: a step that has not run for 90 days runs no more. */
const countsForMs = 90 * dayMs;

/** What the bot gives a person who sets up a step. @param at in milliseconds */
function grantText(
  personId: string,
  at: number,
  { team = ownTeam, secret = secrets.botToken }: { team?: string; secret?: string } = {},
): string {
  return createActingPersons({ secret, uses: new Keyv<number>(), now: () => at }).textFor(team, personId);
}

/** @param now of the bot, in milliseconds */
export function grantOf(kind: GrantKind | undefined, cohort: number, personId: string, now: number): string {
  const genuine = grantText(personId, now);
  switch (kind) {
    case undefined:
      return genuine;
    case 'forged':
      return `${personId}.1.${'A'.repeat(43)}`;
    case 'of another person':
      return genuine.replace(/\.[^.]+$/, grantText(slackIdOf(cohort, 'ivo'), now).replace(/^.*(?=\.)/, ''));
    case 'of another day':
      return genuine.replace(/\.[^.]+$/, grantText(personId, now - dayMs).replace(/^.*(?=\.)/, ''));
    case 'of another workspace':
      return grantText(personId, now, { team: 'T0FOREIGN' });
    case 'of another secret':
      return grantText(personId, now, { secret: `${secrets.botToken}!` });
    case 'of long ago':
      return grantText(personId, now - countsForMs - dayMs);
  }
}

/**
 * Whether a text lets a step run with the rights of the person in it.
 *
 * @param uses when the bot last ran a step with it, by text
 */
export function proofOfGrant(text: string, uses: ReadonlyMap<string, number>, now: number): 'good' | 'bad' {
  const [, personId = '', day = ''] = /^([A-Z0-9]+)\.([a-z0-9]+)\./.exec(text) ?? [];
  const madeAt = Number.parseInt(day, 36) * dayMs;
  const isGenuine = Number.isFinite(madeAt) && text === grantText(personId, madeAt);
  return isGenuine && now - (uses.get(text) ?? madeAt) < countsForMs ? 'good' : 'bad';
}
