import type { FetchFunction } from '@slack/web-api';
import { createRename, isStandard, mark, type OwnNames } from '../../domain/own-names.ts';
import { changeShownTexts } from '../shown-texts.ts';

/** Puts the bot’s names in its workspace into what leaves it for Slack. */
export interface OutgoingNames {
  /** Of messages, views, options and errors in an acknowledgement. */
  inAcknowledgement<Answer>(answer: Answer): Answer;
  /** Wraps what every client of Slack calls: the Web API and response URLs. Files pass as they are. */
  inCalls(fetch: FetchFunction): FetchFunction;
}

/** The arguments of the Web API that are lists or objects with texts. The client sends them as JSON. */
const structured: ReadonlySet<string> = new Set(['blocks', 'files', 'message', 'outputs', 'view']);

export function createOutgoingNames(names: OwnNames): OutgoingNames {
  const rename = createRename(names);
  const marked = `${mark}|${encodeURIComponent(mark)}`;
  const concerned = new RegExp(isStandard(names) ? marked : `${marked}|(?:/|%2F)quiz|Invigilator`);

  const inForm = (body: string): string =>
    new URLSearchParams(
      Array.from(new URLSearchParams(body), ([key, value]) => [
        key,
        structured.has(key)
          ? JSON.stringify(changeShownTexts(JSON.parse(value), rename, key))
          : changeShownTexts(value, rename, key),
      ]),
    ).toString();

  return {
    inAcknowledgement: (answer) => changeShownTexts(answer, rename, typeof answer === 'string' ? 'text' : ''),
    inCalls: (fetch) => async (url, init) => {
      const { body } = init ?? {};
      if (typeof body !== 'string' || !concerned.test(body)) return fetch(url, init);
      const named = body.startsWith('{') ? JSON.stringify(changeShownTexts(JSON.parse(body), rename)) : inForm(body);
      return fetch(url, { ...init, body: named });
    },
  };
}
