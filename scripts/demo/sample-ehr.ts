import type { SimulatedEhr } from '../ehr-simulator/start-ehr.ts';

/** An EHR for the demo, with the settings by which the service trusts it. */
export interface SampleEhr {
  readonly ehr: SimulatedEhr;
  readonly settings: Readonly<Record<string, string>>;
}

/** Starts the simulated EHR beside the service. */
export const startSampleEhr = async (): Promise<SampleEhr> => {
  // Only for who asks: it signs with a library that the service itself has no use for.
  const { startEhr } = await import('../ehr-simulator/start-ehr.ts');
  const ehr = await startEhr();
  return {
    ehr,
    settings: { SMART_CLIENT_ID: ehr.clientId, SMART_ALLOWED_ISSUERS: ehr.issuer },
  };
};

/** What to click. @param email of a seat that may save */
export const sayLaunches = (
  { ehr }: SampleEhr,
  email: string | undefined,
  say: (line?: string) => void,
): void => {
  say();
  say(`The simulated EHR, with a list of made-up patients: ${ehr.url}`);
  say('  1. Click on “Newborn, three days old”: what its chart says fills in a birth.');
  say('  2. Choose between the two Apgar scores at 5 minutes, and say where the birth was.');
  say(`  3. Save: the sign-in asks who you are (${email}), and leads back to the form.`);
  say('  The birth is then under Records, each value of the EHR marked as such.');
};
