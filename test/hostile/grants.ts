import { createGrantTexts } from '../../src/features/workflows/step-grants.ts';
import { steps } from '../../src/features/workflows/steps.ts';
import { slackIdOf, type Cohort, foreignTeam, type Tenant } from './cohort.ts';

/** What a step has under “Runs with the rights of”, unless it is what the person who set it up was given. */
export const grantKinds = [
  'forged',
  /** Signed for `ivo`, with the ID of somebody else in front. */
  'of another person',
  'of another day',
  'of another workspace',
  'of another secret',
  'of another step',
  /** Of a step that has not run since. */
  'of long ago',
] as const;
export type GrantKind = (typeof grantKinds)[number];

const dayMs = 24 * 60 * 60_000;
/** docs/agents-and-workflows.md: a step that has not run for 90 days runs no more. */
const countsForMs = 90 * dayMs;

/** Whose rights a step may run with, and which. */
interface Lent {
  personId: string;
  step: string;
}

/** What the bot gives a person who sets up a step: the same all day. @param at in milliseconds */
function grantText(
  { teamId, secrets: { botToken } }: Pick<Tenant, 'teamId' | 'secrets'>,
  { personId, step }: Lent,
  at: number,
): string {
  // No two grants of a person are of the same moment.
  const lentAt = Math.floor(at / dayMs) * dayMs + steps.findIndex(({ name }) => name === step);
  return createGrantTexts(botToken).textOf({ teamId, appId: 'A0THEBOT', step, personId, lentAt });
}

/** @param now of the bot, in milliseconds */
export function grantOf(kind: GrantKind | undefined, { number, tenant }: Cohort, lent: Lent, now: number): string {
  const { personId } = lent;
  const { secrets } = tenant;
  const genuine = grantText(tenant, lent, now);
  switch (kind) {
    case undefined:
      return genuine;
    case 'forged':
      return `${personId}.1.${'A'.repeat(43)}`;
    case 'of another person':
      return genuine.replace(
        /\.[^.]+$/,
        grantText(tenant, { ...lent, personId: slackIdOf(number, 'ivo') }, now).replace(/^.*(?=\.)/, ''),
      );
    case 'of another day':
      return genuine.replace(/\.[^.]+$/, grantText(tenant, lent, now - dayMs).replace(/^.*(?=\.)/, ''));
    case 'of another workspace':
      return grantText({ ...tenant, teamId: foreignTeam }, lent, now);
    case 'of another secret':
      return grantText({ ...tenant, secrets: { ...secrets, botToken: `${secrets.botToken}!` } }, lent, now);
    case 'of another step':
      return grantText(tenant, { personId, step: lent.step === 'get_result' ? 'assign_quiz' : 'get_result' }, now);
    case 'of long ago':
      return grantText(tenant, lent, now - countsForMs - dayMs);
  }
}

/**
 * Whether a text lets a step run with the rights of the person in it.
 *
 * @param uses when the bot last ran a step with it, by text
 */
export function proofOfGrant(
  tenant: Tenant,
  { text, step }: { text: string; step: string },
  uses: ReadonlyMap<string, number>,
  now: number,
): 'good' | 'bad' {
  const [, personId = '', moment = ''] = /^([A-Z0-9]+)\.([a-z0-9]+)\./.exec(text) ?? [];
  const madeAt = Number.parseInt(moment, 36);
  const isGenuine = Number.isFinite(madeAt) && text === grantText(tenant, { personId, step }, madeAt);
  return isGenuine && now - (uses.get(text) ?? madeAt) < countsForMs ? 'good' : 'bad';
}
