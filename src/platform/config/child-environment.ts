const PASSED_ON =
  /^(PATH|HOME|TMPDIR|TEMP|TZ|LANG|SystemRoot|NODE_ENV|SUTURA_FP|SUTURA_FP_SLEEP_MS|SUTURA_FP_MARKER|LD_LIBRARY_PATH|LC_.*|(CUDA|NVIDIA|ORT|VK|XDG)_.*)$/;

/**
 * The environment of a process that decodes strangers' pictures: the variables that the system, the GPU and fault
 * tests need, and none of the gateway's credentials.
 */
export function childEnvironment(additions: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const passedOn = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  return { ...Object.fromEntries(passedOn), ...additions };
}
