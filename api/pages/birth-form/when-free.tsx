import type { Registry } from '../../registry/registry.ts';
import { type CourseToSave, type SavedCourse, saveCourse } from '../../write-path/save-course.ts';
import { unlessBusy } from '../../write-path/unless-busy.ts';
import { Notice } from '../frame/flash-messages.tsx';

/** Saves, or says that others keep the practice busy: then the same may be sent again. */
export const whenFree = async (
  registry: Registry,
  command: CourseToSave,
): Promise<SavedCourse | { readonly kind: 'busy' }> =>
  (await unlessBusy(saveCourse(registry, command))) ?? { kind: 'busy' };

/** Told above the form while others keep the practice busy. */
export const Busy = () => (
  <Notice kind="error">
    This could not be saved yet: many records are being written at your practice right now.
    Everything that you typed is here. Save it once more in a moment.
  </Notice>
);
