import type { RecordedLink } from '../domain/sealed-entry.ts';
import type { Records } from './services/records.ts';

const pageSize = 500;

/** The links of the audit trail from its beginning up to a position, read page by page. */
export async function* linksUpTo(records: Pick<Records, 'linksSince'>, last: number): AsyncGenerator<RecordedLink> {
  for (let after = 0; ;) {
    const links = (await records.linksSince(after, pageSize)).filter(({ position }) => position <= last);
    yield* links;
    after = links.at(-1)?.position ?? last;
    if (after >= last) return;
  }
}
