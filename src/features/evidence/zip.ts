import { createHash, type Hash } from 'node:crypto';
import { Zip, ZipDeflate } from 'fflate';

/** A file in a pack. `size` is in bytes. */
interface PackedFile {
  name: string;
  size: number;
  sha256: string;
}

/** A ZIP file whose files are written at the same time, part by part. What is compressed is kept in memory until its end. */
interface ZipWriter {
  write(name: string, content: string | Buffer, isLast: boolean): void;
  /** The files that have ended, in the order in which they began. */
  files(): PackedFile[];
  /** @param seal makes the comment at the end of the file, from the SHA-256 of everything before it; of `sealLength` bytes */
  end(seal: (sha256: string) => string, sealLength: number): Buffer;
}

/** @param modifiedAt the time of its files, in milliseconds since the epoch */
export function zipWriter(modifiedAt: number): ZipWriter {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  const open = new Map<string, { entry: ZipDeflate; hash: Hash; size: number }>();
  const ended = new Map<string, PackedFile | undefined>();

  function opened(name: string) {
    const known = open.get(name);
    if (known) return known;
    const entry = new ZipDeflate(name, { level: 6 });
    entry.mtime = modifiedAt;
    zip.add(entry);
    const file = { entry, hash: createHash('sha256'), size: 0 };
    open.set(name, file);
    ended.set(name, undefined);
    return file;
  }

  return {
    write(name, content, isLast) {
      const file = opened(name);
      const bytes = Buffer.from(content);
      file.hash.update(bytes);
      file.size += bytes.length;
      file.entry.push(bytes, isLast);
      if (!isLast) return;
      open.delete(name);
      ended.set(name, { name, size: file.size, sha256: file.hash.digest('hex') });
    },
    files: () => [...ended.values()].filter((file) => file !== undefined),
    end(seal, sealLength) {
      zip.end();
      const archive = Buffer.concat(chunks);
      archive.writeUInt16LE(sealLength, archive.length - 2);
      return Buffer.concat([archive, Buffer.from(seal(createHash('sha256').update(archive).digest('hex')))]);
    },
  };
}
