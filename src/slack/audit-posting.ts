import type { WebClient } from '@slack/web-api';
import type { Keyv } from 'keyv';
import { PlatformError } from '../domain/errors.ts';
import type { Log } from '../observability/log.ts';
import { operationNamed } from '../operations/catalog.ts';
import { parseAuditEntry, type AuditEntry, type MissingEnd } from '../domain/audit-chain.ts';
import type { AnchoredAuditTrail, Leases } from '../storage/storage.ts';
import { backoffMs } from '../time/backoff.ts';
import type { AuditNames } from './audit-names.ts';
import { callSlack } from './errors.ts';
import { auditedRequest, auditLine, missingEntriesMessage, refusalsLine, type Refusals } from './views/audit.ts';
import type { Message } from './views/message.ts';
import { md, notification, section, sections } from './views/mrkdwn.ts';

/** Slack takes one message a second in a channel; entries that arrive meanwhile share the next message. */
const pauseMs = 1_100;
const entriesInMessage = 20;
const entriesAtOnce = 100;
const retryBackoff = { firstMs: 2_000, longestMs: 5 * 60_000 };
const leaseMs = 30_000;
const entriesLookedAt = 1_000;

/** Refusals of one person in this time share a post. */
const refusalsForMs = 3_600_000;
/** How long a request keeps its post. Requests expire within days. */
const requestsForMs = 30 * 24 * 3_600_000;
/** How long is known through which entry other posts were made. */
const keptForMs = 24 * 3_600_000;
/** Of a request whose run fails again and again, its post shows the first entry and the last ones. */
const requestEntriesAtMost = 10;

const auditEvent = 'audit_post';

/** What a post shows. It holds no names: entries are read from the trail again. */
export interface AuditPost {
  ts: string;
  /** The position of the last entry in it. Entries up to there are not shown again. */
  through: number;
  /** The positions of the entries about a request. */
  positions?: readonly number[];
  refusals?: Refusals;
}

/** A post that is about to be made. Its `ts` is empty. */
export interface PendingPost {
  key: string;
  at: number;
  post: AuditPost;
}

interface Item {
  position: number;
  entry: AuditEntry;
  /** The post that shows the entry; undefined for entries that are not posted. */
  subject: string | undefined;
}

const changes = 'changes';

/**
 * Posts the audit trail into the audit channel. It reads the trail itself, so an entry that could not be posted is
 * posted later, also after a crash. Operations that only read are left out. One instance posts at a time.
 *
 * A request for approval has one post, kept up to date, and so have the refusals of a person within an hour. Other changes
 * share a post where they come at the same time. Each step makes one post or update; a crash in the middle of a new post is
 * noticed, and the post found by its metadata.
 */
export function createAuditPosting(deps: {
  client: WebClient;
  channel: string;
  trail: AnchoredAuditTrail;
  leases: Leases;
  /** The position up to which every entry is posted, by workspace. */
  posted: Keyv<number>;
  /** By workspace, generation of the trail, and subject. */
  posts: Keyv<AuditPost>;
  /** By workspace. */
  pending: Keyv<PendingPost>;
  names: AuditNames;
  teamId: () => Promise<string>;
  timeZone: string;
  log: Log;
  now: () => number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}) {
  const { client, channel, trail, leases, posted, posts, pending, names, timeZone, log, now } = deps;
  const stopping = new AbortController();
  let retrying = new AbortController();
  let wake = Promise.withResolvers<void>();
  let running: Promise<void> | undefined;
  let startedAt = 0;
  /** The position of the missing entry that was last posted. */
  let postedMissing: number | undefined;

  async function run(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted;) {
      const next = wake.promise;
      try {
        const isAllPosted = await postNext();
        failures = 0;
        if (isAllPosted) await next.then(() => (wake = Promise.withResolvers()));
        else await deps.sleep(pauseMs, stopping.signal);
      } catch (error) {
        failures += 1;
        log.error({ error, channel }, 'the audit channel does not take what is on the record; it is posted later');
        await deps.sleep(
          backoffMs(failures, retryBackoff),
          AbortSignal.any([stopping.signal, (retrying = new AbortController()).signal]),
        );
      }
    }
  }

  /** Posts or updates one message. @returns whether nothing is left to post */
  async function postNext(): Promise<boolean> {
    const teamId = await deps.teamId();
    const lease = await leases.withLease(`audit-posting:${teamId}`, leaseMs, async () => {
      const missing = await trail.missingEnd(teamId);
      if (missing !== undefined) await postMissing(teamId, missing);
      await adoptPending(teamId);
      const from = (await posted.get(teamId)) ?? (await lastBeforeStart(teamId));
      const links = await trail.since(teamId, from, entriesAtOnce);
      const items = links.map(({ position, text }): Item => {
        const entry = parseAuditEntry(text);
        return { position, entry, subject: subjectOf(entry) };
      });
      if (items.length === 0) return true;

      // Positions begin anew after a cut, and with them the posts.
      const keyOf = (subject: string) => `${teamId}:${missing?.knownPosition ?? 0}:${subject}`;
      const known = new Map<string, AuditPost | undefined>();
      for (const { subject } of items)
        if (subject !== undefined && !known.has(subject)) known.set(subject, await posts.get(keyOf(subject)));
      const isShown = ({ position, subject }: Item) =>
        subject === undefined || position <= (known.get(subject)?.through ?? 0);

      const next = items.find((item) => !isShown(item))?.subject;
      if (next !== undefined) {
        const group = items.filter((item) => item.subject === next && !isShown(item)).slice(0, entriesInMessage);
        known.set(next, await show(teamId, { key: keyOf(next), subject: next, known: known.get(next), group }));
      }
      const waiting = items.findIndex((item) => !isShown(item));
      const last = waiting === -1 ? items.at(-1) : items[waiting - 1];
      if (last !== undefined) await posted.set(teamId, last.position);
      return waiting === -1 && links.length < entriesAtOnce;
    });
    return lease.held && lease.value;
  }

  async function show(
    teamId: string,
    {
      key,
      subject,
      known,
      group,
    }: { key: string; subject: string; known: AuditPost | undefined; group: readonly Item[] },
  ): Promise<AuditPost> {
    const through = group.at(-1)?.position ?? 0;
    if (subject.startsWith('refused:')) {
      const recent = known?.refusals !== undefined && now() < known.refusals.since + refusalsForMs ? known : undefined;
      const refusals = addRefusals(recent?.refusals, group);
      return save(
        teamId,
        key,
        { ...(recent && { ts: recent.ts }), through, refusals },
        await refusalsMessage(refusals, group),
        keptForMs,
      );
    }
    if (subject.startsWith('request:')) {
      const positions = shortened([...(known?.positions ?? []), ...group.map(({ position }) => position)]);
      return save(
        teamId,
        key,
        { ...(known && { ts: known.ts }), through, positions },
        await requestMessage(teamId, positions),
        requestsForMs,
      );
    }
    return save(teamId, key, { through }, await changesMessage(group), keptForMs);
  }

  /** Updates the post, or makes a new one where there is none, or none any more. */
  async function save(
    teamId: string,
    key: string,
    { ts, ...content }: Omit<AuditPost, 'ts'> & { ts?: string },
    message: Message,
    ttlMs: number,
  ): Promise<AuditPost> {
    const isUpdated = ts !== undefined && (await update(ts, message));
    const saved = { ...content, ts: isUpdated ? ts : await postNew(teamId, key, content, message) };
    await posts.set(key, saved, ttlMs);
    if (!isUpdated) await pending.delete(teamId);
    return saved;
  }

  async function update(ts: string, { text, blocks }: Message): Promise<boolean> {
    try {
      await callSlack(async () => client.chat.update({ channel, ts, text, blocks }));
      return true;
    } catch (error) {
      if (error instanceof PlatformError && error.kind === 'thread_gone') return false;
      throw error;
    }
  }

  async function postNew(
    teamId: string,
    key: string,
    content: Omit<AuditPost, 'ts'>,
    { text, blocks }: Message,
  ): Promise<string> {
    await pending.set(teamId, { key, at: now(), post: { ...content, ts: '' } });
    const metadata = { event_type: auditEvent, event_payload: { key, through: content.through } };
    const { ts = '' } = await client.chat.postMessage({
      channel,
      text,
      blocks,
      metadata,
      unfurl_links: false,
      unfurl_media: false,
    });
    return ts;
  }

  /** Looks for a post whose answer was lost. Where Slack refuses the lookup, the post is made again. */
  async function adoptPending(teamId: string): Promise<void> {
    const lost = await pending.get(teamId);
    if (lost === undefined) return;
    const found = await findPost(lost).catch((error: unknown) => {
      if (error instanceof PlatformError && error.kind !== 'rate_limited' && error.kind !== 'unclear') return undefined;
      throw error;
    });
    if (found !== undefined) await posts.set(lost.key, { ...lost.post, ts: found }, keptForMs);
    await pending.delete(teamId);
  }

  async function findPost({ key, at, post }: PendingPost): Promise<string | undefined> {
    const oldest = String(Math.floor(at / 1000) - 60);
    const { messages = [] } = await callSlack(async () =>
      client.conversations.history({ channel, oldest, include_all_metadata: true, limit: 200 }),
    );
    return messages.find(({ metadata }) => {
      const payload = (metadata?.event_payload ?? {}) as Record<string, unknown>;
      return metadata?.event_type === auditEvent && payload['key'] === key && payload['through'] === post.through;
    })?.ts;
  }

  /** Once per finding and start. New entries are posted although their positions were posted before. */
  async function postMissing(teamId: string, missing: MissingEnd): Promise<void> {
    const { knownPosition, lastPosition } = missing;
    if (postedMissing === knownPosition) return;
    await client.chat.postMessage({ channel, ...missingEntriesMessage(missing) });
    postedMissing = knownPosition;
    const last = await posted.get(teamId);
    // An entry appended since the cut has not been posted. Posting an older one twice does no harm.
    if (last !== undefined && last >= lastPosition) await posted.set(teamId, Math.max(0, lastPosition - 1));
  }

  /** Before the first post: entries from before the channel was set are no news. */
  async function lastBeforeStart(teamId: string): Promise<number> {
    const links = await trail.latest(teamId, entriesLookedAt);
    const before = links.find(({ text }) => parseAuditEntry(text).at < startedAt);
    return before?.position ?? 0;
  }

  async function changesMessage(items: readonly Item[]): Promise<Message> {
    const lines = await Promise.all(items.map(async ({ entry }) => auditLine(await names.ofEntry(entry), timeZone)));
    const [first] = lines;
    return {
      text: lines.length === 1 && first ? notification(first) : `${lines.length} entries of the audit trail`,
      blocks: sections(lines),
    };
  }

  async function refusalsMessage(refusals: Refusals, group: readonly Item[]): Promise<Message> {
    const [first] = group;
    if (first !== undefined && group.length === 1 && countOf(refusals) === 1) return changesMessage(group);
    const line = refusalsLine(md`${await names.ofPerson(first?.entry.by ?? '')}`, refusals, timeZone);
    return { text: notification(line), blocks: [section(line)] };
  }

  async function requestMessage(teamId: string, positions: readonly number[]): Promise<Message> {
    const links = await Promise.all(positions.map(async (position) => (await trail.since(teamId, position - 1, 1))[0]));
    return auditedRequest(
      await Promise.all(links.flatMap((link) => (link ? [names.ofEntry(parseAuditEntry(link.text))] : []))),
      timeZone,
    );
  }

  return {
    start(): void {
      startedAt = deps.now();
      running = run();
    },
    /** Call after every new entry. */
    wake(): void {
      wake.resolve();
    },
    /** Call when Slack answers again. */
    tryAgain(): void {
      retrying.abort();
    },
    async stop(): Promise<void> {
      stopping.abort();
      wake.resolve();
      await running;
    },
  };
}

/** Which post shows an entry. A refusal belongs to the person, also where it is about a request. */
function subjectOf({ operation, action, by, request, batch }: AuditEntry): string | undefined {
  // A batch is posted when it begins and when it is over. Its rows are on the record, and in its result.
  if (batch !== undefined) return undefined;
  if (action === 'done' && operationNamed(operation)?.access === 'read') return undefined;
  if (action === 'refused') return by === undefined ? changes : `refused:${by}`;
  return request === undefined ? changes : `request:${request}`;
}

function addRefusals(known: Refusals | undefined, items: readonly Item[]): Refusals {
  const counts: Record<string, number> = { ...known?.counts };
  for (const { entry } of items) counts[entry.operation] = (counts[entry.operation] ?? 0) + 1;
  return { since: known?.since ?? items[0]?.entry.at ?? 0, counts };
}

function countOf({ counts }: Refusals): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function shortened(positions: readonly number[]): readonly number[] {
  return positions.length <= requestEntriesAtMost
    ? positions
    : [...positions.slice(0, 1), ...positions.slice(1 - requestEntriesAtMost)];
}
