import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Durable } from './bot.ts';

/** A fault in a copy of `src/durable`. The text stands in its file exactly once. */
interface PlantedFault {
  name: string;
  file: 'runtime.ts' | 'mail.ts' | 'shared-state.ts' | 'engine.ts';
  text: string;
  instead: string;
}

const runtime = (name: string, text: string, instead: string): PlantedFault => ({
  name,
  file: 'runtime.ts',
  text,
  instead,
});

export const plantedFaults: readonly PlantedFault[] = [
  runtime(
    'a state is kept whatever was kept meanwhile',
    'outbox.commit(queue, { version,',
    'outbox.commit(queue, { version: (await outbox.stateOf(queue)).version,',
  ),
  runtime(
    'a deed is done before it is kept',
    'const keptAt = now();',
    'const keptAt = now(); await deedsOf().do(step.deed, view);',
  ),
  runtime(
    'a deed is done although it was not kept',
    'if (!(await commit(step.keep)) || now() - keptAt >= freshForMs) return now();',
    'if (!(await commit(step.keep)) && now() - keptAt >= freshForMs) return now();',
  ),
  runtime('a deed is done however late', ' || now() - keptAt >= freshForMs', ''),
  runtime(
    'a late deed is done where nothing was kept meanwhile',
    '|| now() - keptAt >= freshForMs)',
    '|| (now() - keptAt >= freshForMs && (await outbox.stateOf(queue)).version !== version))',
  ),
  runtime('a deed is done after others look for it', 'freshForMs = 2_000', 'freshForMs = 8_000'),
  runtime('a deed is done once more instead of looked for', 'deedsOf().look(', 'deedsOf().do('),
  runtime(
    'the answer to a deed is not kept',
    'return settle(step.deed, await deedsOf().do(step.deed, view), keptAt);',
    'await deedsOf().do(step.deed, view); return now();',
  ),
  runtime(
    'an answer is settled at the time of its step',
    'answer === undefined ? { ...view, now: askedAt } : view',
    '{ ...view, now: askedAt }',
  ),
  runtime('a look tells of the time after it', 'answer === undefined ? { ...view, now: askedAt } : view', 'view'),
  runtime(
    'mail is taken out without the state',
    'queue, { version, state,',
    'queue, { version, state: take.length ? stored.state : state,',
  ),
  runtime('a state is kept without taking out its mail', 'remove: take,', 'remove: [],'),
  runtime('what a step puts is lost', 'remove: take, put }', 'remove: take }'),
  runtime('nobody is woken who got mail', 'await deps.mail.wake(put);', ''),
  runtime('a mailbox with a deed under way is at rest', 'isBusy: machine.isBusy(state)', 'isBusy: false'),
  runtime('nothing runs again after a step', '(next.at ?? now())', 'next.at!'),
  runtime('nobody comes back to a deed that was not done', 'freshForMs) return now();', 'freshForMs) return;'),
  runtime('a rest never ends', 'return step.until;', 'return;'),
  runtime('a rest is no rest', 'if (restingUntil !== undefined) return restingUntil;', ''),
  runtime(
    'a step is decided on the time before its questions',
    'const step = await machine.step(view);',
    'const step = await machine.step({ ...view });',
  ),
  runtime(
    'a step is decided on the time before its mail was read',
    'view = seen({ ...view, mail });',
    'view = { ...view, mail };',
  ),
  runtime('more mail is read than a machine asks for', 'limit: machine.mailAtMost', 'limit: machine.mailAtMost + 1'),
  runtime(
    'what was found out is forgotten',
    'view = seen({ ...view, first: await machine.first?.(view) });',
    'await machine.first?.(view);',
  ),
  runtime(
    'mail that was taken out still waits',
    'mail: view.mail.filter(({ position }) => !take.includes(position)) });',
    '});',
  ),
  runtime(
    'a note is said of what is not kept yet',
    'const step = await machine.step(view);',
    "const step = await machine.step(view); if ('note' in step && step.note) await machine.note?.(step.note, view);",
  ),
  runtime('nothing is said of what is kept', 'if (note !== undefined) await machine.note?.(note, view);', ''),
  runtime('a state is not numbered anew', 'version += 1;', ''),
  {
    name: 'nobody is woken who gets mail from outside',
    file: 'mail.ts',
    text: 'await mail.wake(entries);',
    instead: '',
  },
  {
    name: 'a change of a shared state is lost',
    file: 'shared-state.ts',
    text: 'await changeState<State>(outbox, queue, (known) => {',
    instead:
      'const { version, state: before } = await outbox.stateOf<State>(queue); await ((edit: (known: State | undefined) => object) => outbox.commit(queue, { version, ...edit(before) } as never))((known) => {',
  },
  {
    name: 'nobody is woken who gets mail with a shared state',
    file: 'shared-state.ts',
    text: 'return mail.wake(sent);',
    instead: 'return;',
  },
  { name: 'the sweep wakes nobody', file: 'engine.ts', text: 'await deps.wake(queue);', instead: 'void queue;' },
];

/** The modules of `src/durable` with a fault. */
export async function durableWith({ name, file, text, instead }: PlantedFault): Promise<Durable> {
  const folder = mkdtempSync(join(tmpdir(), 'invigilator-planted-'));
  try {
    cpSync('src/durable', folder, { recursive: true });
    const parts = readFileSync(join(folder, file), 'utf8').split(text);
    if (parts.length !== 2) throw new Error(`${name}: ${file} has this ${parts.length - 1} times: ${text}`);
    writeFileSync(join(folder, file), parts.join(instead));
    for (const one of readdirSync(folder)) {
      const source = readFileSync(join(folder, one), 'utf8');
      writeFileSync(join(folder, one), source.replaceAll("'../", `'${pathToFileURL(resolve('src')).href}/`));
    }
    const from = async (one: string) => (await import(pathToFileURL(join(folder, one)).href)) as Partial<Durable>;
    return { ...(await from('engine.ts')), ...(await from('mail.ts')), ...(await from('shared-state.ts')) } as Durable;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
