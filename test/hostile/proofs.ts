import { createGrantTexts } from '../../src/features/workflows/step-grants.ts';
import { steps } from '../../src/features/workflows/steps.ts';
import { slackIdOf, type Cohort, foreignTeam, type Tenant } from './cohort.ts';

import type { Violation } from './judge.ts';
import type { SeenText } from './slack.ts';

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
const grantCountsForMs = 90 * dayMs;

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
      return grantText(tenant, lent, now - grantCountsForMs - dayMs);
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
  return isGenuine && now - (uses.get(text) ?? madeAt) < grantCountsForMs ? 'good' : 'bad';
}

/** A token that somebody was shown. */
export interface KnownToken {
  text: string;
  tenant: Tenant;
  personId: string;
  name: string;
  /** By the bot’s clock, in milliseconds. */
  madeAt: number;
  /** `unsure`: the answer to its revocation is lost. */
  state: 'counts' | 'revoked' | 'unsure';
}

/** docs/agents-and-workflows.md. */
const tokenCountsForMs = 30 * dayMs;

const tokenPattern = /inv_[A-Z0-9]+_([A-Z0-9]+)_[\w-]{43}/g;

export const tokenOf = ({ teamId }: Tenant, personId: string, secret: string) => `inv_${teamId}_${personId}_${secret}`;

/**
 * The name of the token that a person asked for in the delivery with this number; undefined where they could not, or asked for
 * none. `late`: the delivery is of an earlier sequence, or the token was revoked by a later one.
 */
type TokenName = (number: number, personId: string) => string | { late: true } | undefined;

/**
 * Notes the tokens in what people read. A token is shown once: to the person who made it, in an answer that Slack does not keep.
 *
 * @param about.now of the bot, in milliseconds
 */
export function noteTokens(
  known: KnownToken[],
  seenTexts: readonly SeenText[],
  { tenant, nameOf, now }: { tenant: Tenant; nameOf: TokenName; now: number },
): Violation[] {
  return seenTexts.flatMap(({ text, reader, step, isKept, isByAgent }) =>
    [...new Set(Array.from(text.matchAll(tokenPattern), ([token]) => token))].flatMap((token) => {
      const name = step === undefined ? undefined : nameOf(step, reader);
      const isNew = known.every((other) => other.text !== token);
      const asNamed =
        typeof name === 'object'
          ? ({ name: '', state: 'unsure' } as const)
          : ({ name: name ?? '', state: 'counts' } as const);
      if (isNew) known.push({ text: token, tenant, personId: reader, madeAt: now, ...asNamed });
      const faults = [
        ...(name === undefined ? ['not asked for'] : []),
        ...(token.includes(`_${reader}_`) ? [] : ['of another person']),
        ...(isNew ? [] : ['shown before']),
        ...(isByAgent === true ? ['to an agent'] : []),
        ...(isKept === true ? ['in a message that is kept'] : []),
      ];
      return faults.length === 0
        ? []
        : [{ rule: 'leak' as const, message: `a token of ${token.split('_')[2]} to ${reader}, ${faults.join(', ')}` }];
    }),
  );
}

/** Notes a revocation. @param state `unsure` where its answer is lost */
export function noteRevocation(
  known: readonly KnownToken[],
  { personId, name }: Pick<KnownToken, 'personId' | 'name'>,
  state: 'revoked' | 'unsure',
): void {
  for (const token of known)
    if (token.personId === personId && token.name === name && token.state !== 'revoked') token.state = state;
}

/** Whether a token counts now. */
export function proofOfToken(known: readonly KnownToken[], text: string, now: number): 'good' | 'bad' | 'unsure' {
  const token = known.find((other) => other.text === text);
  if (token === undefined || token.state === 'revoked' || now >= token.madeAt + tokenCountsForMs) return 'bad';
  return token.state === 'counts' ? 'good' : 'unsure';
}

/** Tokens in the log. */
export function tokensInLog(lines: string): Violation[] {
  return Array.from(new Set(lines.match(tokenPattern)), (token) => ({
    rule: 'log' as const,
    message: `a token of ${token.split('_')[2]} in the log`,
  }));
}
