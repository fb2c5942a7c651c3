import { mendsOf, type Judge, type Mend } from './mend.ts';

/** Random crashes of lasting work. The rarest fault shows once in about 3,000 runs. */
const model: Judge = { script: 'model', words: ['40000'], finding: /broken: / };

/** Of what lasts through crashes, frozen processes, failed calls and lost answers. */
export const durable: readonly Mend[] = [
  ...mendsOf('src/durable/runtime.ts', model, {
    'a state is kept only where nothing was kept meanwhile': [
      'outbox.commit(queue, { version,',
      'outbox.commit(queue, { version: (await outbox.stateOf(queue)).version,',
    ],
    'a deed is kept before it is done': [
      'const keptAt = now();',
      'const keptAt = now(); await deedsOf().do(step.deed, view);',
    ],
    'a deed is not done where it was not kept': [
      'if (!(await commit(step.keep)) || now() - keptAt >= freshForMs) return now();',
      'if (!(await commit(step.keep)) && now() - keptAt >= freshForMs) return now();',
    ],
    'a deed is not done late': [' || now() - keptAt >= freshForMs', ''],
    'a deed that is late is not done, whatever was kept meanwhile': [
      '|| now() - keptAt >= freshForMs)',
      '|| (now() - keptAt >= freshForMs && (await outbox.stateOf(queue)).version !== version))',
    ],
    'a deed is not done once others look for it': ['freshForMs = 2_000', 'freshForMs = 8_000'],
    'what was begun is looked for, and not done once more': ['deedsOf().look(', 'deedsOf().do('],
    'the answer to a deed is kept': [
      'return settle(step.deed, await deedsOf().do(step.deed, view), keptAt);',
      'await deedsOf().do(step.deed, view); return now();',
    ],
    'an answer is settled at the time when it came': [
      'answer === undefined ? { ...view, now: askedAt } : view',
      '{ ...view, now: askedAt }',
    ],
    'a look tells of the time when it began': ['answer === undefined ? { ...view, now: askedAt } : view', 'view'],
    'mail is taken out with the state that it made': [
      'queue, { version, state,',
      'queue, { version, state: take.length ? stored.state : state,',
    ],
    'a state is kept with its mail taken out': ['remove: take,', 'remove: [],'],
    'what a step puts is kept with the state': ['remove: take, put }', 'remove: take }'],
    'whoever gets mail is woken': ['await deps.mail.wake(put);', ''],
    'a mailbox with a deed under way is not at rest': ['isBusy: machine.isBusy(state)', 'isBusy: false'],
    'the next step follows': ['(next.at ?? now())', 'next.at!'],
    'a deed that was not done is come back to': ['freshForMs) return now();', 'freshForMs) return;'],
    'a rest ends': ['return step.until;', 'return;'],
    'a rest is a rest': ['if (restingUntil !== undefined) return restingUntil;', ''],
    'a step is decided on the time after its questions': [
      'const step = await machine.step(view);',
      'const step = await machine.step({ ...view });',
    ],
    'a step is decided on the time after its mail was read': [
      'view = seen({ ...view, mail });',
      'view = { ...view, mail };',
    ],
    'no more mail is read than a machine asks for': ['limit: machine.mailAtMost', 'limit: machine.mailAtMost + 1'],
    'what was found out is known to the step': [
      'view = seen({ ...view, first: await machine.first?.(view) });',
      'await machine.first?.(view);',
    ],
    'mail that was taken out waits no more': [
      'mail: view.mail.filter(({ position }) => !take.includes(position)) });',
      '});',
    ],
    'a note tells of what is kept': [
      'const step = await machine.step(view);',
      "const step = await machine.step(view); if ('note' in step && step.note) await machine.note?.(step.note, view);",
    ],
    'what is kept is told': ['if (note !== undefined) await machine.note?.(note, view);', ''],
    'each state has a number of its own': ['version += 1;', ''],
    'the sweep wakes whoever has something to do': ['await deps.wake(queue);', 'void queue;'],
  }),
  ...mendsOf('src/durable/mail.ts', model, {
    'whoever gets mail from outside is woken': ['await mail.wake(entries);', ''],
    'a change of a shared state is kept whatever happens beside it': [
      'await changeState<State>(outbox, queue, (known) => {',
      'const { version, state: before } = await outbox.stateOf<State>(queue); await ((edit: (known: State | undefined) => object) => outbox.commit(queue, { version, ...edit(before) } as never))((known) => {',
    ],
    'whoever gets mail with a shared state is woken': ['return mail.wake(sent);', 'return;'],
  }),
];
