import type { Tenant } from './cohort.ts';
import type { Violation } from './judge.ts';
import type { SeenText } from './slack.ts';

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

const dayMs = 24 * 60 * 60_000;
/** docs/agents-and-workflows.md. */
const countsForMs = 30 * dayMs;

const pattern = /inv_[A-Z0-9]+_([A-Z0-9]+)_[\w-]{43}/g;

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
    [...new Set(Array.from(text.matchAll(pattern), ([token]) => token))].flatMap((token) => {
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
  if (token === undefined || token.state === 'revoked' || now >= token.madeAt + countsForMs) return 'bad';
  return token.state === 'counts' ? 'good' : 'unsure';
}

/** Tokens in the log. */
export function tokensInLog(lines: string): Violation[] {
  return Array.from(new Set(lines.match(pattern)), (token) => ({
    rule: 'log' as const,
    message: `a token of ${token.split('_')[2]} in the log`,
  }));
}
