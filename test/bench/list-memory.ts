import { request } from 'undici';
import { createQuizApi } from '../../src/quiz-api/quiz-api.ts';

/* A program that fetches the list of users once, in one of two ways, and reports its peak memory to its parent. */

const [baseUrl = '', way] = process.argv.slice(2);
const api = createQuizApi({ baseUrl, apiKey: 'bench-key', timeoutMs: 60_000 });

const users: unknown =
  way === 'client' ? await api.users.list() : JSON.parse(await (await request(`${baseUrl}/api/v1/users`)).body.text());

process.send?.({ users: Array.isArray(users) ? users.length : 0, peakKiB: process.resourceUsage().maxRSS });
await api.close();
process.disconnect?.();
