import { Worker } from 'node:worker_threads';
import { isSaid } from '../domain/said.ts';
import type { Render } from '../words/render.ts';
import type { Picture } from './services/files.ts';

const drawingTimeoutMs = 30_000;
const workerMemoryMb = 64;

/**
 * Draws pictures as PNG, in a thread that lives as long as one of them: what draws takes a tenth of a second to load and 100 MB.
 * They are drawn one after the other.
 */
export function createPictureFiles() {
  let last: Promise<unknown> = Promise.resolve();

  /** @param render writes what is said for the reader */
  return async function pictureFile(picture: Picture, render: Render): Promise<Buffer> {
    const shapes = picture.shapes.map((shape) =>
      shape.kind === 'text' && isSaid(shape.text) ? { ...shape, text: render(shape.text, 'label') } : shape,
    );
    const drawn = last.then(async () => inWorker({ ...picture, shapes }));
    last = drawn.catch(() => undefined);
    return drawn;
  };
}

async function inWorker(picture: Picture): Promise<Buffer> {
  const worker = new Worker(new URL('./picture-drawer.ts', import.meta.url), {
    workerData: picture,
    resourceLimits: { maxOldGenerationSizeMb: workerMemoryMb },
    stderr: true,
  });
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      worker.once('message', (png: Uint8Array) => resolve(Buffer.from(png)));
      worker.once('error', reject);
      const fail = () => reject(new Error('no picture was drawn'));
      worker.once('exit', fail);
      AbortSignal.timeout(drawingTimeoutMs).addEventListener('abort', fail);
    });
  } finally {
    await worker.terminate();
  }
}
