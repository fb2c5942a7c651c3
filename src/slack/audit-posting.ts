import type { WebClient } from '@slack/web-api';
import type { Keyv } from 'keyv';
import type { Log } from '../observability/log.ts';
import { operationNamed } from '../operations/catalog.ts';
import { parseAuditEntry, type ChainLink, type MissingEnd } from '../domain/audit-chain.ts';
import type { AnchoredAuditTrail, Leases } from '../storage/storage.ts';
import { backoffMs } from '../time/backoff.ts';
import { auditLine } from './views/audit.ts';
import { md, section, sections } from './views/mrkdwn.ts';

/** Slack takes one message a second in a channel; entries that arrive meanwhile share the next message. */
const pauseMs = 1_100;
const entriesInMessage = 20;
const retryBackoff = { firstMs: 2_000, longestMs: 5 * 60_000 };
const leaseMs = 30_000;
const entriesLookedAt = 1_000;

/**
 * Posts the audit trail into the audit channel. It reads the trail itself, so an entry that could not be posted is
 * posted later, also after a crash. Operations that only read are left out. One instance posts at a time.
 */
export function createAuditPosting(deps: {
  client: WebClient;
  channel: string;
  trail: AnchoredAuditTrail;
  leases: Leases;
  /** The position of the last entry posted, by workspace. */
  posted: Keyv<number>;
  teamId: () => Promise<string>;
  timeZone: string;
  log: Log;
  now: () => number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}) {
  const { client, channel, trail, leases, posted, log } = deps;
  const stopping = new AbortController();
  let wake = Promise.withResolvers<void>();
  let running: Promise<void> | undefined;
  let startedAt = 0;
  /** The position of the missing entry that was last posted. */
  let postedMissing: number | undefined;

  async function run(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; ) {
      const next = wake.promise;
      try {
        const isAllPosted = await postNext();
        failures = 0;
        if (isAllPosted) await next.then(() => (wake = Promise.withResolvers()));
        else await deps.sleep(pauseMs, stopping.signal);
      } catch (error) {
        failures += 1;
        log.error({ error, channel }, 'the audit channel does not take what is on the record; it is posted later');
        await deps.sleep(backoffMs(failures, retryBackoff), stopping.signal);
      }
    }
  }

  /** Posts the next message. @returns whether nothing is left to post */
  async function postNext(): Promise<boolean> {
    const teamId = await deps.teamId();
    const lease = await leases.withLease(`audit-posting:${teamId}`, leaseMs, async () => {
      const missing = await trail.missingEnd(teamId);
      if (missing !== undefined) await postMissing(teamId, missing);
      const from = (await posted.get(teamId)) ?? (await lastBeforeStart(teamId));
      const links = await trail.since(teamId, from, entriesInMessage);
      const last = links.at(-1);
      if (last === undefined) return true;
      await post(links.filter(isNews));
      await posted.set(teamId, last.position);
      return links.length < entriesInMessage;
    });
    return lease.held && lease.value;
  }

  /** Once per finding and start. New entries are posted although their positions were posted before. */
  async function postMissing(teamId: string, { knownPosition, lastPosition }: MissingEnd): Promise<void> {
    if (postedMissing === knownPosition) return;
    const alarm = md`🚨 *The audit trail lost entries.* Entry ${knownPosition} was recorded and is missing or replaced; the last entry now is ${lastPosition}. Someone changed the store, or a backup replaced newer data. To check it: \`/quiz-admin audit verify\``;
    await client.chat.postMessage({ channel, text: alarm.mrkdwn, blocks: [section(alarm)] });
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

  async function post(links: readonly ChainLink[]): Promise<void> {
    if (links.length === 0) return;
    const lines = links.map(({ text }) => auditLine(parseAuditEntry(text), deps.timeZone));
    const [first] = lines;
    const text = lines.length === 1 && first ? first.mrkdwn : md`${lines.length} entries of the audit trail`.mrkdwn;
    await client.chat.postMessage({ channel, text, blocks: sections(lines), unfurl_links: false, unfurl_media: false });
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
    async stop(): Promise<void> {
      stopping.abort();
      wake.resolve();
      await running;
    },
  };
}

function isNews({ text }: ChainLink): boolean {
  const { operation, action } = parseAuditEntry(text);
  return action !== 'done' || operationNamed(operation)?.access !== 'read';
}
