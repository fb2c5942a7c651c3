import type { InputState } from '../model.ts';
import type { PageFile } from '../page-contract.ts';
import type { Actions, LocatedElement } from './render-context.ts';
import { type Sender, server } from './server.ts';
import type { Store } from './store.ts';

type FileActions = Pick<Actions, 'attach' | 'detach' | 'chooseFiles'>;

/** Creates the actions that upload files of this computer. @param storeEdit stores the state of an input */
export function createFileActions(
  store: Store,
  { showProblem }: Sender,
  storeEdit: (located: LocatedElement, state: InputState) => void,
): FileActions {
  const ui = () => store.state.ui;

  const upload = async (files: readonly File[], then: (uploaded: PageFile[]) => void): Promise<void> => {
    try {
      then(await Promise.all(files.map((file) => server.upload(ui().person, file))));
    } catch (error) {
      showProblem(error);
    }
  };

  return {
    attach(key, files) {
      void upload(files, (uploaded) => {
        store.change({ attached: { ...ui().attached, [key]: [...(ui().attached[key] ?? []), ...uploaded] } });
      });
    },
    detach(key, id) {
      store.change({
        attached: { ...ui().attached, [key]: (ui().attached[key] ?? []).filter((file) => file.id !== id) },
      });
    },
    chooseFiles(located, state, files) {
      void upload(files, (uploaded) => {
        storeEdit(located, { ...state, files: [...(state.files ?? []), ...uploaded] });
      });
    },
  };
}
