import type { WebClient } from '@slack/web-api';
import type { Keyv } from 'keyv';
import type { Log } from '../observability/log.ts';
import { operationNamed } from '../operations/catalog.ts';
import { readAuditEntry, type ChainLink } from '../domain/audit-chain.ts';
import type { AuditTrail, Leases } from '../storage/storage.ts';
import { auditLine } from './views/audit.ts';
import { md, sections } from './views/mrkdwn.ts';

/** Slack takes a message a second in a channel; what comes meanwhile goes into one. */
const pauseMs = 1_100;
const entriesInMessage = 20;
const firstRetryMs = 2_000;
const longestRetryMs = 5 * 60_000;
const leaseMs = 30_000;
const entriesLookedAt = 1_000;

/**
 * Posts what is on the record into the audit channel, from the trail itself: what could not be posted is posted
 * later, also after a crash. What somebody merely read is left out. One instance at a time posts.
 */
export function createAuditPosting(deps: {
  client: WebClient;
  channel: string;
  trail: AuditTrail;
  leases: Leases;
  /** By workspace: the position up to which it is posted. */
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
        await deps.sleep(Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 20)), stopping.signal);
      }
    }
  }

  /** @returns whether nothing is left to post */
  async function postNext(): Promise<boolean> {
    const teamId = await deps.teamId();
    const lease = await leases.withLease(`audit-posting:${teamId}`, leaseMs, async () => {
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

  /** Where nothing was ever posted, what was on the record before the channel was set is not news. */
  async function lastBeforeStart(teamId: string): Promise<number> {
    const links = await trail.latest(teamId, entriesLookedAt);
    const before = links.find(({ text }) => readAuditEntry(text).at < startedAt);
    return before?.position ?? 0;
  }

  async function post(links: readonly ChainLink[]): Promise<void> {
    if (links.length === 0) return;
    const lines = links.map(({ text }) => auditLine(readAuditEntry(text), deps.timeZone));
    const [first] = lines;
    const text = lines.length === 1 && first ? first.mrkdwn : md`${lines.length} entries of the audit trail`.mrkdwn;
    await client.chat.postMessage({ channel, text, blocks: sections(lines), unfurl_links: false, unfurl_media: false });
  }

  return {
    start(): void {
      startedAt = deps.now();
      running = run();
    },
    /** Says that something new is on the record. */
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
  const { operation, action } = readAuditEntry(text);
  return action !== 'done' || operationNamed(operation)?.access !== 'read';
}
