import { noteRevocation, noteTokens, type KnownToken } from './agent-tokens.ts';
import { handleOfSlackId, type Cohort } from './cohort.ts';
import { kindOfAnswer } from './deliver.ts';
import type { Deed, Violation } from './judge.ts';
import type { Payload } from './payloads.ts';
import { standingOf } from './rules.ts';
import type { Stage } from './stage.ts';

interface Sent {
  payload: Payload;
  number: number;
  deed: Deed;
}

/** Watches which tokens the people of a cohort are shown, and which they revoke. */
export function watchTokens(
  stage: Stage,
  { number, tenant }: Pick<Cohort, 'number' | 'tenant'>,
  sent: ReadonlyMap<number, Sent>,
) {
  const { journal, tokens, seenTexts } = stage;
  const violations: Violation[] = [];
  let lookedTo = seenTexts.length;
  const isHere = (personId: string) => handleOfSlackId(personId)?.cohort === number;

  const isRevokedAfter = (step: number, personId: string, name: string) =>
    [...sent.values()].some(
      ({ number: later, deed: { intent, personId: by } }) =>
        later > step &&
        by === personId &&
        intent?.operation === 'revoke-token' &&
        (intent.values?.['name']?.[0] ?? '') === name,
    );

  /**
   * The name of the token that a delivery asked for; undefined where its person could not, or asked for none. An answer that comes
   * after a revocation was sent shows a token that may be revoked.
   */
  function nameOf(step: number, personId: string): string | { late: true } | undefined {
    if ([...sent.values()].every((one) => one.number > step)) return { late: true };
    const { deed, payload } =
      [...sent.values()].find((one) => one.number === step && one.deed.personId === personId) ?? {};
    if (deed?.intent?.operation !== 'make-token' || payload?.kind === 'agent' || !deed.isOurs) return undefined;
    const states = journal.states(number, deed.begin, journal.tick());
    const isStaff = states.some((state) => standingOf(state, personId).isStaff);
    const name = deed.intent.values?.['name']?.[0] ?? '';
    if (!isStaff) return undefined;
    return isRevokedAfter(step, personId, name) ? { late: true } : name;
  }

  return {
    violations,
    /** The tokens of the cohort, the latest last. */
    here: (): KnownToken[] => tokens.filter(({ personId }) => isHere(personId)),
    /** Notes the tokens that people were shown since the last look. */
    look(): void {
      const texts = seenTexts.slice(lookedTo);
      lookedTo += texts.length;
      violations.push(
        ...noteTokens(
          tokens,
          texts.filter(({ reader }) => isHere(reader)),
          { tenant, nameOf, now: stage.now() },
        ),
      );
    },
    /** @param text of the answer. @param isDoubled whether another delivery has another answer */
    noteRevoked({ deed, payload }: Sent, text: string, isDoubled: boolean): void {
      const { intent, personId, isOurs } = deed;
      if (intent?.operation !== 'revoke-token' || payload.kind === 'agent' || !isOurs) return;
      const about = { personId, name: intent.values?.['name']?.[0] ?? '' };
      const isSaid = ['refused', 'invalid'].includes(kindOfAnswer(text)) && !isDoubled;
      if (text.includes('Revoked the access token')) noteRevocation(tokens, about, 'revoked');
      else if (!isSaid) noteRevocation(tokens, about, 'unsure');
    },
  };
}
