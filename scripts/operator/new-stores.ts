import { type OperatorCommands, openCommands } from '../../api/composition/commands.ts';
import { openServiceLog } from '../../api/composition/logging.ts';
import type { Settings } from '../../api/composition/settings.ts';

/** Runs a command on the stores of DATA_DIR; where it holds no registry, one is founded. */
export const withNewStores = async (
  settings: Settings,
  run: (commands: OperatorCommands) => Promise<unknown>,
): Promise<unknown> => {
  // Standard output is for the one JSON object: the stores keep silent.
  const commands = await openCommands(settings, openServiceLog('silent'), { mayFound: true });
  try {
    return await run(commands);
  } finally {
    await commands.close();
  }
};
