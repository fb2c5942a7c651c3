import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';
import { botToken, manifestPath } from './bolt-bot.ts';

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
