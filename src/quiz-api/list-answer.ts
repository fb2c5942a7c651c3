import { StringDecoder } from 'node:string_decoder';
import type * as z from 'zod';
import { Misfit, NotJson, parse, parseJson } from './answers.ts';
import type { ReadAnswer } from './answers.ts';
import { ArraySplitter } from './array-splitter.ts';

/**
 * Reads an array whose items fit the schema, while it arrives: each piece of the body becomes items
 * and is dropped. So neither the whole text nor a second copy of the items is ever held, and a list
 * of 100,000 users does not keep the event loop from other work.
 */
export function listOf<T>(schema: z.ZodType<T>): ReadAnswer<T[]> {
  return async (body) => {
    const items: T[] = [];
    const splitter = new ArraySplitter();
    const decoder = new StringDecoder('utf8');
    const append = (batch: readonly unknown[]) => {
      for (const item of batch) items.push(parse(schema, item, [items.length]));
    };
    for await (const chunk of body) append(splitter.push(decoder.write(chunk)));
    append(splitter.push(decoder.end()));
    refuseRest(splitter.end(), splitter.isArray());
    return items;
  };
}

function refuseRest(text: string, isArray: boolean): void {
  if (isArray && text !== '') throw new NotJson(text);
  if (isArray) return;
  parseJson(text);
  throw new Misfit([], 'an array belongs here');
}
