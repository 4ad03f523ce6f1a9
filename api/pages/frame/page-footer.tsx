import { useFrame } from './frame-context.ts';

/** Names the time zone, once for the whole page. */
export const PageFooter = () => {
  const { who, timeZone } = useFrame();
  return (
    <footer class="frame__footer">
      {who === null ? (
        <p>Birth Registry</p>
      ) : (
        <p>
          Times are in {zoneName(timeZone)} ({timeZone.replaceAll('_', ' ')}).{' '}
          <a href="/account/password">Change your password</a>
        </p>
      )}
    </footer>
  );
};

const zoneName = (timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' })
    .formatToParts(0)
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
