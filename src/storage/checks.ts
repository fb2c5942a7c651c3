import type { ChainHead, MissingEnd } from '../domain/audit-chain.ts';
import type { Check, CheckMeaning, Finding } from '../domain/finding.ts';
import { say } from '../domain/said.ts';
import type { Log } from '../observability/log.ts';
import { anchorNamespace, compareAnchors } from './audit.ts';
import {
  contentLoss,
  isOwnedBy,
  ownerKey,
  ownerNamespace,
  readKnownContent,
  sharesUsers,
  storeOwner,
  type ContentLoss,
  type StoreIdentity,
  type StoreOwner,
} from './passport.ts';
import type { SealedTrail } from './storage.ts';
import type { Storage } from './records.ts';

const readTheLog = say`Ask the person who runs the bot to read its log.`;

export const storeMeaning: CheckMeaning = {
  name: 'store',
  topic: 'Store',
  well: 'the store can be used',
  gauge: { name: 'invigilator_store_usable', help: 'Whether the store can be read and written: 1, or 0' },
  unclear: {
    effect: 'stops',
    problem: 'the store cannot be used',
    remedy: 'check that it runs, that it has room, and that the bot may write to it',
    forAdministrators: { headline: say`The bot can’t use its database`, advice: readTheLog },
  },
};

export const contentMeaning = watched({
  name: 'storeContent',
  well: 'the store has the content that the bot knew',
  gauge: {
    name: 'invigilator_store_whole',
    help: 'Whether the store has the content that this instance knew: 1, or 0',
  },
  unclear: 'the content of the store was not checked',
  headline: say`The content of the bot’s database wasn’t checked`,
});

export const ownerMeaning = watched({
  name: 'storeOwner',
  well: 'the store belongs to this workspace and quiz account',
  gauge: {
    name: 'invigilator_store_own',
    help: 'Whether the store belongs to this workspace and quiz account: 1, or 0',
  },
  unclear: 'whether the store belongs to this workspace and quiz account was not checked',
  headline: say`The owner of the bot’s database wasn’t checked`,
});

export const trailMeaning = watched({
  name: 'auditTrail',
  well: 'the audit trail has every entry that was known',
  gauge: {
    name: 'invigilator_audit_trail_whole',
    help: 'Whether the audit trail has every entry that was known: 1, or 0',
  },
  unclear: 'the audit trail was not checked',
  headline: say`The audit trail wasn’t checked`,
});

function watched({
  unclear: problem,
  headline,
  ...meaning
}: Pick<CheckMeaning, 'name' | 'well' | 'gauge'> & { unclear: string; headline: string }): CheckMeaning {
  return {
    ...meaning,
    topic: 'Store',
    unclear: {
      effect: 'unknown',
      problem,
      remedy: 'read the log of the bot, and try again in a minute',
      forAdministrators: { headline, advice: readTheLog },
    },
    isWatched: true,
  };
}

interface OpenStore {
  storage: Pick<Storage, 'ping' | 'content' | 'audit' | 'kv'>;
  teamId: () => Promise<string>;
  /** Every user of the quiz account. */
  userIds: () => Promise<readonly string[]>;
  /** Called after each comparison with the owner. */
  onCompared: () => void;
  log: Log;
}

/** The checks of a store that the bot has open. */
export function storeChecks(store: OpenStore): Check[] {
  const { ping, content, audit } = store.storage;
  return [
    { ...storeMeaning, look: async () => ping().then(() => undefined) },
    {
      ...contentMeaning,
      async look() {
        const loss = content.loss();
        return loss && contentFinding(loss);
      },
    },
    {
      ...trailMeaning,
      async look() {
        const team = await store.teamId();
        const missing = await audit.missingEnd(team);
        return missing && cutTrailFinding(team, missing);
      },
    },
    ownerCheck(store),
  ];
}

/**
 * Ties the store to the workspace and the quiz account, and compares it with them: once, since neither changes while the bot
 * runs, and again after the store lost its content. Its look says what was found, and waits for nobody.
 */
function ownerCheck(deps: OpenStore): Check {
  const owners = deps.storage.kv<StoreOwner>(ownerNamespace);
  let isCompared = false;
  let comparing: Promise<void> | undefined;
  let finding: Finding | undefined = unclearOwner(notCompared);

  deps.storage.content.onLoss(() => {
    isCompared = false;
  });

  async function compare(): Promise<void> {
    const [workspace, userIds] = await Promise.all([deps.teamId(), deps.userIds()]);
    const kept = await owners.get(ownerKey);
    isCompared = true;
    finding = kept && (await ownerFinding(kept, { workspace, userIds }));
    if (finding === undefined && userIds.length > 0) await owners.set(ownerKey, storeOwner(workspace, userIds));
    deps.onCompared();
  }

  return {
    ...ownerMeaning,
    async look() {
      if (!isCompared)
        comparing ??= compare()
          .catch((error: unknown) => deps.log.debug({ error }, 'the owner of the store is compared later'))
          .finally(() => (comparing = undefined));
      return finding;
    },
  };
}

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

/** A store that the bot could not work with. */
export function unusableStore(code: string, forOperator: string): Finding {
  return unclear(storeMeaning, code, forOperator);
}

function unclear(
  { unclear: { effect, problem, forAdministrators } }: CheckMeaning,
  code: string,
  forOperator: string,
): Finding {
  return { code, effect, problem, forOperator, forAdministrators };
}

const notKept: Finding = {
  code: 'store_content_not_kept',
  effect: 'unknown',
  problem: 'the content of the store is not known yet',
  forOperator: 'the bot has not kept which content the store has, so a loss would not be noticed',
  forAdministrators: { headline: say`What the bot’s database should contain isn’t known yet`, advice: '' },
};

/** The platform did not answer, which has a line of its own. */
const trailOfUnknown = unclear(
  trailMeaning,
  'audit_trail_not_checked',
  `${trailMeaning.unclear.problem}: the workspace is not known`,
);

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

export function cutTrailFinding(teamId: string, { knownPosition, lastPosition }: MissingEnd): Finding {
  return {
    code: 'audit_trail_cut',
    effect: 'degrades',
    problem: 'the audit trail lost entries',
    forOperator: `the audit trail lost entries: entry ${knownPosition} was known, and the last one is ${lastPosition} now. Type /quiz-admin audit verify, and restore a backup if the store is older than it should be`,
    forAdministrators: {
      headline: say`The audit trail lost entries`,
      advice: say`Check it with \`/quiz-admin audit verify\`.`,
    },
    occurrence: `${teamId}:${knownPosition}`,
  };
}

const notCompared = 'whether the store belongs to this workspace and quiz account was not checked';

/**
 * Compares the owner of a store with the workspace and the quiz account of the configuration.
 *
 * @param kept undefined where the store has none
 * @param account undefined: what the platform, or the quiz service, does not tell
 */
async function ownerFinding(
  kept: StoreOwner | undefined,
  { workspace, userIds }: { workspace: string | undefined; userIds: readonly string[] | undefined },
): Promise<Finding | undefined> {
  if (kept === undefined)
    return unclearOwner('the store belongs to no workspace and quiz account yet: the bot ties it to them at the start');
  if (workspace === undefined) return unclearOwner(notCompared);
  if (!isOwnedBy(kept, workspace)) return otherOwner('workspace', 'set the bot token of that workspace');
  if (userIds === undefined)
    return unclearOwner('the store belongs to this workspace; whether it belongs to this quiz account was not checked');
  return (await sharesUsers(kept, userIds))
    ? undefined
    : otherOwner('quiz account', 'set the QUIZ_API_URL and QUIZ_API_KEY of that account');
}

function otherOwner(whose: 'workspace' | 'quiz account', remedy: string): Finding {
  const problem = `the store belongs to another ${whose}`;
  return {
    code: 'store_of_another_account',
    effect: 'stops',
    problem,
    forOperator: `${problem}: ${remedy}, or set DATA_DIR or REDIS_URL to an empty store`,
    forAdministrators: {
      headline:
        whose === 'workspace'
          ? say`The bot’s database belongs to another workspace`
          : say`The bot’s database belongs to another quiz account`,
      advice: say`Ask the person who runs the bot to connect it with its own database.`,
    },
    occurrence: `owner:${whose}`,
  };
}

/** @param forOperator why it is not known to whom the store belongs */
function unclearOwner(forOperator: string): Finding {
  return {
    code: 'store_owner_unknown',
    effect: 'unknown',
    problem: 'the owner of the store is not known yet',
    forOperator,
    forAdministrators: {
      headline: say`Whom the bot’s database belongs to isn’t known yet`,
      advice: say`The bot looks again every minute.`,
    },
  };
}
