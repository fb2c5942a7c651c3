import { fork } from 'node:child_process';
import { once } from 'node:events';

/** What a program is asked to do: a function that a module exports, and what it is called with. */
interface Order {
  module: string;
  name: string;
  given: unknown[];
}

/** What it tells: how far it is, or what came of it. */
type Told<Result> = { progress: unknown } | { result: Result };

/**
 * Calls an exported function in a process of its own, which has no other work, and memory of its own. What it serves goes on until
 * the process is disposed of.
 *
 * @param module its `import.meta.url`
 * @param onProgress gets what the function gives `tellProgress`
 * @throws if the process ends without a result; it prints why
 */
export async function openApart<Given extends unknown[], Result>(
  module: string,
  work: (...given: Given) => Promise<Result>,
  given: Given,
  onProgress: (progress: unknown) => void = () => {},
): Promise<Disposable & { result: Result }> {
  const program = fork(import.meta.filename, { serialization: 'advanced' });
  const end = () => {
    if (program.connected) program.disconnect();
  };
  try {
    const told = Promise.withResolvers<Result>();
    program.on('message', (message: Told<Result>) => {
      if ('result' in message) told.resolve(message.result);
      else onProgress(message.progress);
    });
    const order: Order = { module, name: work.name, given };
    program.send(order);
    const ended = once(program, 'exit').then(() => Promise.reject(new Error(`${work.name} of ${module} ended`)));
    ended.catch(() => {});
    return { result: await Promise.race([told.promise, ended]), [Symbol.dispose]: end };
  } catch (error) {
    end();
    throw error;
  }
}

/** The same for a process that ends with its result. */
export async function apart<Given extends unknown[], Result>(
  ...called: Parameters<typeof openApart<Given, Result>>
): Promise<Result> {
  using program = await openApart(...called);
  return program.result;
}

/** In a function that runs apart: tells the process that called it how far it is. */
export function tellProgress(progress: unknown): void {
  process.send?.({ progress });
}

if (import.meta.main) {
  process.once('disconnect', () => process.exit());
  // Not awaited here: the module may import this one, and would wait for it.
  process.once('message', ({ module, name, given }: Order) => {
    void import(module)
      .then((exported: Record<string, (...given: unknown[]) => Promise<unknown>>) => exported[name]!(...given))
      .then((result) => process.send?.({ result }));
  });
}
