import { readFileSync } from 'node:fs';
import type { ChainHead } from '../domain/audit-chain.ts';
import type { Check, Finding } from '../domain/finding.ts';
import { say } from '../domain/said.ts';
import { contentMeaning } from './check-meanings.ts';

/** In `DATA_DIR`, for SQLite. */
export const knownStoreFileName = 'known-store.json';

/** Which content a store has. Copies of a store share the id; every look at the store makes the generation greater. */
export interface StoreIdentity {
  id: string;
  generation: number;
}

/** What the bot knows of its store outside the store. Times are milliseconds since the epoch. */
export interface KnownContent extends StoreIdentity {
  /** The last look that found this content. */
  at: number;
  /** What the bot took before this was posted, as far as the bot knew. */
  settledUntil: number;
  /** The last known entry of each workspace's audit trail. Earlier versions kept none. */
  heads?: Readonly<Record<string, ChainHead>>;
}

/** The store does not have the content that the bot knew. */
export interface ContentLoss {
  /** `replaced`: the store was emptied or is another store. `older`: it is an earlier state of itself. */
  kind: 'replaced' | 'older';
  /** The identity that was found, if there was one. */
  found: StoreIdentity | undefined;
  known: StoreIdentity;
  knownAt: number;
  settledUntil: number;
}

/** @returns undefined where nothing was kept yet */
export function readKnownContent(path: string): KnownContent | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as KnownContent;
  } catch (error) {
    if (Object(error).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Compares the content of a store with what was known.
 * @param found before a look makes its generation greater
 */
export function contentLoss(known: KnownContent, found: StoreIdentity | undefined): ContentLoss | undefined {
  const isSame = found?.id === known.id;
  if (isSame && found.generation >= known.generation) return undefined;
  const { id, generation, at: knownAt, settledUntil } = known;
  return { kind: isSame ? 'older' : 'replaced', found, known: { id, generation }, knownAt, settledUntil };
}

export function contentFinding({ kind, found, known, knownAt }: ContentLoss): Finding {
  const common = {
    code: 'store_content_lost',
    effect: 'stops',
    since: knownAt,
    occurrence: `${kind}:${kind === 'older' ? known.id : found?.id}`,
    isUrgent: true,
  } as const;
  if (kind === 'older')
    return {
      ...common,
      problem: 'the store went back to an earlier state',
      forOperator:
        'the store went back to an earlier state: stop the bots and restore a newer backup, or check what changed since and restart the bot',
      forAdministrators: {
        headline: say`The bot’s database went back to an earlier state`,
        advice: say`Changes shortly before that may be gone: subscriptions, decisions on requests, and entries of the audit trail. Check \`/quiz-alerts list all\` and \`/quiz-admin approvals\`.`,
      },
    };
  return {
    ...common,
    problem: 'the store lost its content',
    forOperator:
      'the store lost its content: stop the bots and restore a backup, or subscribe the channels again and restart the bot',
    forAdministrators: {
      headline: say`The bot’s database lost its content`,
      advice: say`Subscriptions, open requests and the audit trail are gone. Ask the person who runs the bot to restore a backup, or subscribe each channel again with \`/quiz-alerts subscribe\`.`,
    },
  };
}

/** @param readLoss undefined where the content is the known one, or none is known */
export function contentCheck(readLoss: () => ContentLoss | undefined): Check {
  return {
    ...contentMeaning,
    async look() {
      const loss = readLoss();
      return loss && contentFinding(loss);
    },
  };
}
