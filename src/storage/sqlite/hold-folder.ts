import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import { DataDirInUseError, readPid } from './data-dir-lock.ts';

/**
 * Holds the folder a second time, with what nobody can delete from under the process: an abstract socket of Linux, which has
 * a name and no file, and ends with the process (https://man7.org/linux/man-pages/man7/unix.7.html). Containers do not see
 * each other's; there, and on other systems, the lock file alone holds the folder.
 *
 * @throws {DataDirInUseError}
 */
export async function holdFolder(dataDir: string): Promise<{ release(): void }> {
  if (process.platform !== 'linux') return { release() {} };
  const { dev, ino } = statSync(dataDir);
  const server = createServer((socket) => socket.destroy()).unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? reject(new DataDirInUseError(dataDir, readPid(dataDir))) : resolve(),
    );
    server.listen(`\0invigilator-${dev}-${ino}`, resolve);
  });
  server.on('error', () => {});
  return { release: () => void server.close() };
}
