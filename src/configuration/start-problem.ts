import { accessSync, constants, existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';

/** What keeps the bot from starting, and what to do, as a sentence; undefined for what the error itself says best. */
export function startProblem(
  error: unknown,
  { http: { port, host }, dataDir }: { http: { port: number; host: string }; dataDir: string },
): string | undefined {
  const { code, syscall, errcode } = error as NodeJS.ErrnoException & { errcode?: number };
  if (syscall === 'listen')
    switch (code) {
      case 'EADDRINUSE':
        return `PORT ${port} is in use by another program (${code}): stop that one, or set PORT to a free one`;
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
        return `HOST ${host} is no address of this machine (${code}): set it to one, or unset it to listen on all`;
      case 'EACCES':
        return `the bot’s user may not listen on PORT ${port} (${code}): set PORT to one above 1023`;
    }
  switch (folderCode(dataDir, code, errcode)) {
    case 'EEXIST':
    case 'ENOTDIR':
      return `DATA_DIR ${dataDir} is a file, or leads through one (${code}): set DATA_DIR to a folder`;
    case 'EROFS':
      return `DATA_DIR ${dataDir} is on a disk that can only be read (EROFS): set DATA_DIR to a folder on a writable one, or mount one there`;
    case 'ENOSPC':
      return `the disk of DATA_DIR ${dataDir} is full (ENOSPC): make room, and start the bot again`;
    case 'cannot be written':
      return `DATA_DIR ${dataDir} cannot be written by the bot’s user: give it to that user`;
    default:
      return undefined;
  }
}

/** SQLite says that a disk is full, and of a file only that it cannot be opened: https://sqlite.org/rescode.html */
const [readOnlyFile, fullDisk, noFile] = [8, 13, 14];

/** The code of what is wrong with the folder. */
function folderCode(dataDir: string, code: string | undefined, errcode = 0): string | undefined {
  if (errcode % 256 === fullDisk) return 'ENOSPC';
  if (errcode % 256 !== readOnlyFile && errcode % 256 !== noFile && code !== 'ENOENT') return code;
  let above = dataDir;
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above);
  try {
    accessSync(above, constants.W_OK | constants.X_OK);
    return code;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS' ? 'EROFS' : 'cannot be written';
  }
}

/** The error of listening on an address as the bot does; undefined where nothing is in the way. */
export async function listenError(port: number, host: string): Promise<NodeJS.ErrnoException | undefined> {
  const server = createServer();
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once('error', resolve);
    server.listen(port, host, () => resolve(undefined));
  });
  if (error === undefined) await new Promise((resolve) => server.close(resolve));
  return error;
}
