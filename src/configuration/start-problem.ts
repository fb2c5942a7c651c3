import { createServer } from 'node:net';

/** What keeps the bot from starting, and what to do, as a sentence; undefined for what the error itself says best. */
export function startProblem(
  error: unknown,
  { http: { port, host }, dataDir }: { http: { port: number; host: string }; dataDir: string },
): string | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
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
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return `DATA_DIR ${dataDir} is a file, or leads through one (${code}): set DATA_DIR to a folder`;
    case 'EROFS':
      return `DATA_DIR ${dataDir} is on a disk that can only be read (${code}): set DATA_DIR to a folder on a writable one, or mount one there`;
    case 'ENOSPC':
      return `the disk of DATA_DIR ${dataDir} is full (${code}): make room, and start the bot again`;
    default:
      return undefined;
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
