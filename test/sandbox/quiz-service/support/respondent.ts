import type { QuizService } from '../../../../src/sandbox/quiz-service/service.ts';

type Running = Pick<QuizService, 'url'>;

export interface Visited {
  status: number;
  text: string;
  location: string | null;
}

/** Requests a page as a browser without scripts does. Does not follow redirects. */
export async function visit(
  service: Running,
  path: string,
  { form, headers = {} }: { form?: Record<string, string> | FormData; headers?: Record<string, string> } = {},
): Promise<Visited> {
  const page = await fetch(service.url + path, {
    method: form ? 'POST' : 'GET',
    redirect: 'manual',
    headers,
    ...(form && { body: form instanceof FormData ? form : new URLSearchParams(form) }),
  });
  return { status: page.status, text: await page.text(), location: page.headers.get('location') };
}

export const guest = { first_name: 'Gwen', last_name: 'Guest', email_address: 'gwen@guest.example' };

/** @returns the path of the attempt's page */
export async function registerAsGuest(
  service: Running,
  quizId: string,
  details: Record<string, string> = {},
): Promise<string> {
  const { status, location, text } = await visit(service, `/take/${quizId}`, { form: { ...guest, ...details } });
  if (status !== 303 || location === null) throw new Error(`Registering answered ${status}: ${text}`);
  return location;
}

/** Starts an attempt. @returns the fields of its form */
export async function startAttempt(service: Running, attemptPath: string): Promise<QuestionField[]> {
  await visit(service, `${attemptPath}/start`, { form: {} });
  return readQuestionFields((await visit(service, attemptPath)).text);
}

interface QuestionField {
  name: string;
  /** Option texts by value. Empty for typed answers and uploads. */
  options: Map<string, string>;
}

function readQuestionFields(page: string): QuestionField[] {
  const fields = new Map<string, Map<string, string>>();
  for (const [, name = ''] of page.matchAll(/name="(q_[^"]+)"/g)) fields.set(name, fields.get(name) ?? new Map());
  for (const [, name = '', value = '', text = ''] of page.matchAll(
    /<input type="(?:radio|checkbox)" id="[^"]+" name="(q_[^"]+)" value="([^"]+)"><label for="[^"]+">([^<]*)/g,
  )) {
    fields.get(name)?.set(value, text);
  }
  for (const [, name = '', options = ''] of page.matchAll(/<select id="[^"]+" name="(q_[^"]+)">(.*?)<\/select>/gs)) {
    for (const [, value = '', text = ''] of options.matchAll(/<option value="([^"]+)">([^<]*)/g)) {
      fields.get(name)?.set(value, text);
    }
  }
  return [...fields].map(([name, options]) => ({ name, options }));
}

/** Fills in a form: selects options by text, and types the text where a question has no options. */
export function fillIn(fields: QuestionField[], texts: string[]): FormData {
  const form = new FormData();
  const typed = texts.filter((text) => !fields.some(({ options }) => [...options.values()].includes(text)));
  for (const { name, options } of fields) {
    for (const [value, text] of options) if (texts.includes(text)) form.append(name, value);
    if (options.size === 0) form.append(name, typed.shift() ?? '');
  }
  return form;
}

/** Takes a quiz from registration to result. @returns the response_id */
export async function takeAsGuest(
  service: Running,
  quizId: string,
  texts: string[] = [],
  details: Record<string, string> = {},
): Promise<string> {
  const attemptPath = await registerAsGuest(service, quizId, details);
  const fields = await startAttempt(service, attemptPath);
  const { status, text } = await visit(service, attemptPath, { form: fillIn(fields, texts) });
  if (status !== 303) throw new Error(`Submitting answered ${status}: ${text}`);
  return attemptPath.slice('/attempts/'.length);
}
