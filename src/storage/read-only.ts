import { say } from '../domain/said.ts';
import type { ChainHead } from '../domain/audit-chain.ts';
import type { Check, Finding } from '../domain/finding.ts';
import { anchorNamespace, compareAnchors, cutTrailFinding } from './anchored-trail.ts';
import { contentMeaning, ownerMeaning, storeMeaning, trailMeaning } from './check-meanings.ts';
import { contentFinding, contentLoss, readKnownContent, type StoreIdentity } from './known-content.ts';
import type { SealedTrail } from './storage.ts';
import { ownerFinding, ownerKey, ownerNamespace, type StoreOwner } from './store-owner.ts';

/** Reads a store that a bot may have open, and changes nothing. */
export interface StoreReading {
  /** What is said where the store can be used. */
  well: string;
  /** Whether the store can be used. */
  look(): Promise<Finding | undefined>;
  /** Whether the bot upgrades it at the start. */
  isOlder(): Promise<boolean>;
  identity(): Promise<StoreIdentity | undefined>;
  /** The text of a keyed value. */
  text(namespace: string, key: string): Promise<string | undefined>;
  trail<Answer>(read: (trail: Pick<SealedTrail, 'head' | 'since'>) => Promise<Answer>): Promise<Answer>;
}

/** A store that the bot could not work with. */
export function unusableStore(code: string, forOperator: string): Finding {
  const { effect, problem, forAdministrators } = storeMeaning.unclear;
  return { code, effect, problem, forOperator, forAdministrators };
}

/** Reads a keyed value as Keyv writes it. @returns undefined where there is none */
export async function readKept<Value>(
  reading: Pick<StoreReading, 'text'>,
  namespace: string,
  key: string,
): Promise<Value | undefined> {
  const text = await reading.text(namespace, key);
  return text === undefined ? undefined : (JSON.parse(text) as { value: Value }).value;
}

/**
 * The checks of a store that the bot need not have open.
 *
 * @param contentFile where the bot keeps what it knows of the content
 * @param account undefined: what the platform, or the quiz service, does not tell
 */
export function readOnlyChecks(
  reading: StoreReading,
  contentFile: string,
  { workspace, userIds }: { workspace: string | undefined; userIds: () => Promise<readonly string[] | undefined> },
): Check[] {
  return [
    { ...storeMeaning, well: reading.well, look: () => reading.look() },
    {
      ...contentMeaning,
      async look() {
        const known = readKnownContent(contentFile);
        if (known === undefined) return notKept;
        const loss = contentLoss(known, await reading.identity());
        return loss && contentFinding(loss);
      },
    },
    {
      ...ownerMeaning,
      async look() {
        const kept = await readKept<StoreOwner>(reading, ownerNamespace, ownerKey);
        return ownerFinding(kept, { workspace, userIds: kept && (await userIds()) });
      },
    },
    {
      ...trailMeaning,
      async look() {
        if (workspace === undefined) return trailOfUnknown;
        const stored = await readKept<ChainHead>(reading, anchorNamespace, workspace);
        const outside = readKnownContent(contentFile)?.heads?.[workspace];
        const anchors = [stored, outside].filter((anchor) => anchor !== undefined);
        if (anchors.length === 0) return undefined;
        const { head, broken } = await reading.trail((trail) => compareAnchors(trail, workspace, anchors));
        return broken && cutTrailFinding(workspace, { knownPosition: broken.position, lastPosition: head.position });
      },
    },
  ];
}

const notKept: Finding = {
  code: 'store_content_not_kept',
  effect: 'unknown',
  problem: 'the content of the store is not known yet',
  forOperator: 'the bot has not kept which content the store has, so a loss would not be noticed',
  forAdministrators: { headline: say`What the bot’s database should contain isn’t known yet`, advice: '' },
};

const { effect, problem, forAdministrators } = trailMeaning.unclear;

/** The platform did not answer, which has a line of its own. */
const trailOfUnknown: Finding = {
  code: 'audit_trail_not_checked',
  effect,
  problem,
  forOperator: `${problem}: the workspace is not known`,
  forAdministrators,
};
