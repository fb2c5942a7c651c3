import type { Options } from '../model.ts';
import { asksBot } from './block-kit/picker-options.ts';
import { type Actions, type Spot, spotKey } from './scene.ts';
import { type Sender, whatOf, whereOf } from './sending.ts';
import { server } from './server.ts';
import type { Store } from './store.ts';

type Picking = Pick<Actions, 'openPicker' | 'queryPicker' | 'movePicker' | 'closePicker'>;

/** What happens in the one picker that is open. */
export function createPicking(store: Store, { complain }: Sender): Picking {
  const ui = () => store.state.ui;

  const lookUp = async (spot: Spot, query: string): Promise<void> => {
    const key = spotKey(spot);
    const show = (options: Options): void => {
      const { picker } = ui();
      if (picker?.key === key && picker.state.query === query)
        store.change({ picker: { key, state: { ...picker.state, options, isLoading: false } } });
    };
    try {
      const deed = { do: 'options', where: whereOf(spot.source), what: whatOf(spot), query } as const;
      show(await server.act<Options>(ui().person, deed));
    } catch (error) {
      show({ options: [] });
      complain(error);
    }
  };

  const queryPicker = (spot: Spot, query: string): void => {
    const key = spotKey(spot);
    const { picker } = ui();
    const options = picker?.key === key ? picker.state.options : { options: [] };
    store.change({ picker: { key, state: { query, options, active: 0, isLoading: asksBot(spot.element) } } });
    if (asksBot(spot.element)) void lookUp(spot, query);
  };

  return {
    queryPicker,
    openPicker(spot) {
      queryPicker(spot, '');
    },
    movePicker(to) {
      const { picker } = ui();
      if (picker !== null) store.change({ picker: { ...picker, state: { ...picker.state, active: to } } });
    },
    closePicker() {
      store.change({ picker: null });
    },
  };
}
