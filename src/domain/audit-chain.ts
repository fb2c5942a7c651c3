import { createHash } from 'node:crypto';

/** One thing that happened, on the record. It holds no password and no answer of a respondent. */
export interface AuditEntry {
  /** Milliseconds since the epoch. */
  at: number;
  /** Also stands in the log, and in what the person was told where something failed. */
  correlationId: string;
  /** Slack id; undefined for what the bot did by itself. */
  by?: string | undefined;
  operation: string;
  action: AuditAction;
  through: string;
  /** What it was done to. */
  targets?: readonly { kind: string; id: string; name: string }[];
  details?: readonly { label: string; value: string }[];
  /** Id of the request for approval it belongs to. */
  request?: string;
  /** Why it was refused, how it failed, what was said. */
  message?: string;
}

export type AuditAction = 'done' | 'refused' | 'failed' | 'requested' | 'approved' | 'denied' | 'withdrawn' | 'expired';

/**
 * Reads the text of a link. Bots up to 1.0 wrote `reference` and `sentence`; a chain of hashes cannot be rewritten, so
 * that both forms stay.
 */
export function readAuditEntry(text: string): AuditEntry {
  const { reference, sentence, ...entry } = JSON.parse(text) as AuditEntry & { reference?: string; sentence?: string };
  return { ...entry, ...(reference !== undefined && { correlationId: reference }), ...(sentence !== undefined && { message: sentence }) };
}

/** An entry as it is kept: `text` is what was hashed, together with the hash of the entry before it. */
export interface ChainLink {
  /** From 1 on, without a gap. */
  position: number;
  text: string;
  hash: string;
}

/** The last link of a chain; position 0 and an empty hash where there is none. */
export interface ChainHead {
  position: number;
  hash: string;
}

export const emptyChain: ChainHead = { position: 0, hash: '' };

/** The link that continues a chain. */
export function nextLink(head: ChainHead, text: string): ChainLink {
  return { position: head.position + 1, text, hash: hashOf(head.hash, text) };
}

export type ChainCheck =
  | { kind: 'whole'; count: number; hash: string }
  /** `at` is the first position where it does not hold. */
  | { kind: 'broken'; at: number; problem: 'gap' | 'change' | 'end' };

/** Walks the chain from its beginning. */
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
