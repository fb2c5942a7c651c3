import type { IncomingHttpHeaders } from 'node:http';
import type { RefusedSignature } from '../../domain/alerts-status.ts';

/** Keyed values with the latest refusals, under one key. */
export interface RefusalStore {
  get(key: 'latest'): Promise<RefusedSignature[] | undefined>;
  set(key: 'latest', refusals: RefusedSignature[], ttlMs: number): Promise<unknown>;
}

/** What was refused longer ago is mended, or never was a webhook of the account. */
export const refusalsTtlMs = 7 * 24 * 3_600_000;
const refusalsAtMost = 3;
const namesAtMost = 8;

/** The latest different refusals, the last first. */
export function withRefusal(refusals: readonly RefusedSignature[], refusal: RefusedSignature): RefusedSignature[] {
  return [refusal, ...refusals.filter((other) => keyOf(other) !== keyOf(refusal))].slice(0, refusalsAtMost);
}

function keyOf({ tried, headers, path }: RefusedSignature): string {
  return JSON.stringify([tried, headers, path]);
}

/** Headers that every request has, or that a proxy adds. */
const usual =
  /^(?:host|connection|keep-alive|content-.*|transfer-encoding|accept.*|user-agent|cache-control|pragma|date|expect|te|via|forwarded|x-forwarded-.*|x-real-ip|cdn-loop|cf-.*|traceparent|tracestate|x-request-id|sec-.*|upgrade.*)$/;
const ofSignature = /sign|hmac|hash|digest|time|webhook|hook|token|secret/;
const plainName = /^[a-z\d-]{1,40}$/;

/** The names of the headers that came, those that can belong to a signature first; few, and none of them long. */
export function comingHeaders(headers: IncomingHttpHeaders): string[] {
  const names = Object.keys(headers)
    .filter((name) => plainName.test(name) && !usual.test(name))
    .toSorted();
  return [...names.filter((name) => ofSignature.test(name)), ...names.filter((name) => !ofSignature.test(name))].slice(
    0,
    namesAtMost,
  );
}
