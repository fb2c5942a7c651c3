import { createHash } from 'node:crypto';

/** One event on the audit trail. It holds no password and no answer of a respondent. */
export interface AuditEntry {
  /** Milliseconds since the epoch. */
  at: number;
  /** Also in the log, and in the message to the person where something failed. */
  correlationId: string;
  /** The person; undefined for what the bot did by itself. */
  by?: string | undefined;
  /** Of what the bot did by a rule: the person who approved the rule. */
  approvedBy?: string;
  operation: string;
  /** What the operation does, as an imperative sentence (`domain/said.ts`). Reads lack it. */
  change?: string;
  action: AuditAction;
  through: string;
  /** What the operation changed, or would have changed. */
  targets?: readonly { kind: string; id: string; name: string }[];
  details?: readonly { label: string; value: string }[];
  /** Id of the request for approval that the entry belongs to. */
  request?: string;
  /** Id of the batch whose row it is. */
  batch?: string;
  /** The reason of a refusal or failure, or the comment of a reviewer. */
  message?: string;
  /** The parts of the change that were not made, a sentence each. */
  notMade?: readonly string[];
}

/** `begun`: a batch is about to make its first change. `stopped`: it makes no more of them, before its end. */
export type AuditAction =
  | 'begun'
  | 'done'
  | 'stopped'
  | 'refused'
  | 'failed'
  | 'requested'
  | 'approved'
  | 'denied'
  | 'withdrawn'
  | 'expired';

/** An entry in the chain. `hash` covers `text` and the hash of the link before. */
export interface ChainLink {
  /** From 1 on, without a gap. */
  position: number;
  text: string;
  hash: string;
}

/** The last link of a chain; position 0 and an empty hash in an empty chain. */
export interface ChainHead {
  position: number;
  hash: string;
}

export const emptyChain: ChainHead = { position: 0, hash: '' };

/** Makes the link that continues a chain. */
export function nextLink(head: ChainHead, text: string): ChainLink {
  return { position: head.position + 1, text, hash: hashOf(head.hash, text) };
}

/** Entries of the audit trail that were known, and are gone or replaced. */
export interface MissingEnd {
  /** The entry that was known last and is not there any more. */
  knownPosition: number;
  /** The last entry that the trail has now. It is beyond `knownPosition` where the missing entries were replaced. */
  lastPosition: number;
}

export type ChainCheck =
  | { kind: 'whole'; count: number; hash: string }
  /** `at` is the first position where the chain is broken. `lost`: the chain itself is whole, but lacks entries that it had. */
  | { kind: 'broken'; at: number; problem: 'gap' | 'change' | 'end' | 'lost' };

/** Checks every hash of a chain, from its beginning to `head`. */
export async function verifyChain(links: AsyncIterable<ChainLink>, head: ChainHead): Promise<ChainCheck> {
  let last = emptyChain;
  for await (const link of links) {
    if (link.position !== last.position + 1) return { kind: 'broken', at: last.position + 1, problem: 'gap' };
    if (link.hash !== hashOf(last.hash, link.text)) return { kind: 'broken', at: link.position, problem: 'change' };
    last = { position: link.position, hash: link.hash };
  }
  if (last.position < head.position) return { kind: 'broken', at: last.position + 1, problem: 'gap' };
  if (last.hash !== head.hash) return { kind: 'broken', at: last.position, problem: 'end' };
  return { kind: 'whole', count: last.position, hash: last.hash };
}

function hashOf(before: string, text: string): string {
  return createHash('sha256').update(`${before}\n${text}`).digest('hex');
}
