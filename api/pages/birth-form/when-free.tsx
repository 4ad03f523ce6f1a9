import { TurnBusy } from '../../write-path/hold-turn.ts';
import type { CourseToSave, SaveCourse, SavedCourse } from '../../write-path/save-course.ts';
import { TurnLost } from '../../write-path/turn-parts.ts';
import { Notice } from '../frame/flash-messages.tsx';

/** Saves, or says that others keep the practice busy: then the same may be sent again. */
export const whenFree = async (
  saveCourse: SaveCourse,
  command: CourseToSave,
): Promise<SavedCourse | { readonly kind: 'busy' }> => {
  try {
    return await saveCourse(command);
  } catch (error) {
    if (error instanceof TurnBusy || error instanceof TurnLost) return { kind: 'busy' };
    throw error;
  }
};

/** Told above the form while others keep the practice busy. */
export const Busy = () => (
  <Notice kind="error">
    This could not be saved yet: many records are being written at your practice right now.
    Everything that you typed is here. Save it once more in a moment.
  </Notice>
);
