import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';
import { botToken, manifestPath } from './bolt-bot.ts';
import { checkBlocks, checkView } from '../../../../src/sandbox/workspace/block-kit/validate.ts';

/** Changes the manifest of the tests. @returns the path of the changed one */
export function changedManifest(change: (manifest: string) => string): string {
  const path = join(temporaryDirectory(), 'manifest.yml');
  writeFileSync(path, change(readFileSync(manifestPath, 'utf8')));
  return path;
}

export const manifestWithout = (scope: string): string =>
  changedManifest((manifest) => manifest.replace(`      - ${scope}\n`, ''));

interface Called {
  status: number;
  retryAfter: string | null;
  answer: Record<string, unknown>;
}

/** Calls a Web API method with a JSON body. */
export async function call(
  workspace: Workspace,
  method: string,
  args: Record<string, unknown> = {},
  token: string | undefined = botToken,
): Promise<Called> {
  const response = await fetch(workspace.apiUrl + method, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(args),
  });
  const answer: Record<string, unknown> = JSON.parse(await response.text());
  return { status: response.status, retryAfter: response.headers.get('retry-after'), answer };
}

/** Calls a method. @returns its response, `error` included */
export const answerOf = async (
  workspace: Workspace,
  method: string,
  args: Record<string, unknown> = {},
): Promise<Record<string, unknown>> => (await call(workspace, method, args)).answer;

// Builders of payloads of any size. Each validates its payload and returns the errors.

/** The errors of a payload, or undefined when Slack accepts it. */
export type Refused = string[] | undefined;

export const text = (length: number): string => 'x'.repeat(length);
export const plain = (length: number) => ({ type: 'plain_text', text: text(length) });
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_item, index) => make(index));
export const option = (index: number, over: object = {}) => ({ text: plain(1), value: `${index}`, ...over });

export const message = (blocks: unknown): Refused => checkBlocks(blocks, { surface: 'message' }).errors;
export const home = (blocks: unknown): Refused => checkBlocks(blocks, { surface: 'home' }).errors;
export const modal = (blocks: unknown): Refused => checkBlocks(blocks, { surface: 'modal' }).errors;
export const view = (over: object): Refused =>
  checkView({ type: 'modal', title: plain(1), blocks: [], ...over }).errors;
export const block = (type: string, fields: object): Refused => message([{ type, ...fields }]);
export const element = (fields: object): Refused => block('actions', { elements: [fields] });
export const button = (over: object): Refused => element({ type: 'button', text: plain(1), ...over });
export const select = (over: object): Refused => element({ type: 'static_select', ...over });
export const oneOption = (over: object): Refused => select({ options: [option(0, over)] });
export const overflow = (options: unknown[]): Refused =>
  block('section', { text: plain(1), accessory: { type: 'overflow', options } });
export const input = (over: object, fields: object = {}): Refused =>
  modal([{ type: 'input', label: plain(1), element: { type: 'plain_text_input', ...fields }, ...over }]);
export const confirm = (over: object): Refused =>
  button({ confirm: { title: plain(1), text: plain(1), confirm: plain(1), deny: plain(1), ...over } });
export const cell = (length = 1) => ({ type: 'raw_text', text: text(length) });
export const dataTable = (rows: number, columns: number, over: object = {}, length = 1): Refused =>
  block('data_table', { caption: 'Rows', rows: times(rows, () => times(columns, () => cell(length))), ...over });
export const points = (count: number, length = 2) =>
  times(count, (index) => ({ label: `${String.fromCodePoint(97 + index)}${text(length - 1)}`, value: index }));
export const barBlock = (over: {
  count?: number;
  labelLength?: number;
  series?: number;
  nameLength?: number;
  title?: string;
  axis?: object;
}) => {
  const data = points(over.count ?? 2, over.labelLength);
  return {
    type: 'data_visualization',
    title: over.title ?? 'Chart',
    chart: {
      type: 'bar',
      series: times(over.series ?? 1, (index) => ({ name: `${index}${text((over.nameLength ?? 2) - 1)}`, data })),
      axis_config: { categories: data.map((point) => point.label), ...over.axis },
    },
  };
};
export const bar = (over: Parameters<typeof barBlock>[0]): Refused => message([barBlock(over)]);
