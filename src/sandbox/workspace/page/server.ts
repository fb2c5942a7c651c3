import type { PageAction, PageFile, PageState } from '../page-contract.ts';
import type { Source, LocatedElement } from './ui.ts';

/** Differs after a reload, which is why a reload loses ephemeral messages. */
const client = Math.random().toString(36).slice(2);

const queryOf = (person: string): string => new URLSearchParams({ as: person, client }).toString();

/** The HTTP client for the workspace. */
export const server = {
  state: (person: string): Promise<PageState> => read(`/page/state?${queryOf(person)}`),

  /** Uploads a file that the person chose. @throws Error whose message the page shows */
  async upload(person: string, file: File): Promise<PageFile> {
    const query = new URLSearchParams({ as: person, name: file.name });
    const response = await fetch(`/page/files?${query.toString()}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: file,
    });
    const answer: PageFile & { problem?: string } = await response.json();
    if (!response.ok) throw new Error(answer.problem ?? `The workspace answered ${response.status}.`);
    return answer;
  },

  /** Runs an action as this person. @throws Error whose message the page shows */
  async act<T extends object>(person: string, action: PageAction): Promise<T> {
    const response = await fetch(`/page/acts?as=${encodeURIComponent(person)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action),
    });
    const answer: T & { problem?: string } = await response.json();
    if (!response.ok) throw new Error(answer.problem ?? `The workspace answered ${response.status}.`);
    return answer;
  },

  /**
   * Calls `changed` after every change, and `lineChanged` when the connection is lost or restored. The connection makes
   * the person active. @returns a function that ends it
   */
  follow(person: string, changed: () => void, lineChanged: (isOffline: boolean) => void): () => void {
    const source = new EventSource(`/page/changes?${queryOf(person)}`);
    source.addEventListener('message', changed);
    source.addEventListener('open', () => {
      lineChanged(false);
    });
    source.addEventListener('error', () => {
      lineChanged(true);
    });
    return () => {
      source.close();
    };
  },
};

async function read<T>(path: string): Promise<T> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`The workspace answered ${response.status}.`);
  const answer: T = await response.json();
  return answer;
}

/** References to the container and the element, as the server expects them. */
export const whereOf = (source: Source) =>
  source.kind === 'view' ? { view: source.id } : { channel: source.channel, ts: source.ts };
export const whatOf = (located: LocatedElement) => ({ block: located.block.block_id ?? '', action: located.actionId });
