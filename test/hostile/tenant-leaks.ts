import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { channelHandles, cohortOfId, cohortOfSlackId, personHandles } from './cohort.ts';
import type { Violation } from './judge.ts';
import type { SeenText } from './slack.ts';
import type { Stage } from './stage.ts';
import type { Tenant } from './tenant.ts';

type Known = Pick<Stage, 'canaries' | 'tenantOf' | 'typed'>;

const handles = [...personHandles, ...channelHandles].map((handle) => handle.toUpperCase()).join('|');
/** In a file, anything can follow. */
const ids = new RegExp(`[a-f]0000000-0000-4000-8000-\\d{12}|[UC]0W(\\d+)X(?:${handles})`, 'g');

/** The words in a text that only another tenant has: names, addresses and IDs of its records, people and channels. */
function wordsOfOthers(text: string, tenant: Tenant, { canaries, tenantOf }: Known): string[] {
  const isOfAnother = (cohort: number | undefined) => (tenantOf(cohort) ?? tenant) !== tenant;
  const words = canaries
    .in(text)
    .filter(({ canary: { recordId } }) => isOfAnother(cohortOfId(recordId)))
    .map(({ word }) => word);
  const named = [...text.matchAll(ids)].filter(([id, number]) =>
    isOfAnother(number === undefined ? cohortOfId(id) : Number(number)),
  );
  return [...new Set([...words, ...named.map(([id]) => id)])];
}

/** What people read, or a channel has, of another tenant, unless the reader, or somebody of the tenant, typed it. */
export function strangersIn(stage: Known, { tenant, reader, text }: SeenText): Violation[] {
  const isTyped = (word: string) => {
    const own = stage.typed.get(reader);
    if (own?.includes(word.toLowerCase())) return true;
    // The record says which strangers came, and were refused.
    return (own === undefined || isSlackId(word)) && isTypedIn(stage, tenant, word);
  };
  return wordsOfOthers(text, tenant, stage)
    .filter((word) => !isTyped(word))
    .map((word) => ({ rule: 'tenant', message: `${reader} of ${tenant.name} reads ${excerpt(text, word)}` }));
}

/** What a tenant’s bot keeps, or says in the log, of another tenant, unless its people typed it. */
export function strangersKept(stage: Known & Pick<Stage, 'places' | 'logLines'>): Violation[] {
  const lines = stage.logLines.join('').split('\n');
  return stage.places.flatMap(({ tenant, store: { folder } }) => {
    if (tenant.name === '') return [];
    const files = readdirSync(folder).map(
      (file) => [`file ${file}`, readFileSync(join(folder, file), 'latin1')] as const,
    );
    const said = lines.filter((line) => line.includes(`"tenant":"${tenant.name}"`)).join('\n');
    return [...files, ['log', said] as const].flatMap(([where, text]) =>
      wordsOfOthers(text, tenant, stage)
        .filter((word) => (isSlackId(word) || standsIn(text, word)) && !isTypedIn(stage, tenant, word))
        .map((word): Violation => ({
          rule: 'tenant',
          message: `${excerpt(text, word)} stands in the ${where} of ${tenant.name}`,
        })),
    );
  });
}

const isSlackId = (word: string) => /^[UC]0W/.test(word);

/** Whether a word stands in a text by itself: what is sealed can have any letters in it. */
const standsIn = (text: string, word: string) => new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(text);

/** Whether anybody of a tenant typed a word: what people typed of the other is in their channels, their record and their log. */
function isTypedIn({ typed, tenantOf }: Pick<Stage, 'typed' | 'tenantOf'>, tenant: Tenant, word: string): boolean {
  return [...typed].some(
    ([personId, text]) => text.includes(word.toLowerCase()) && tenantOf(cohortOfSlackId(personId)) === tenant,
  );
}

function excerpt(text: string, word: string): string {
  const at = text.toLowerCase().indexOf(word.toLowerCase());
  return `…${text.slice(Math.max(0, at - 160), at + 60).replaceAll(/[^ -~]+/g, ' ')}…`;
}
