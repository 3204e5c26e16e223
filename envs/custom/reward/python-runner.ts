/**
 * The program, in Python, of a process that runs a Python reward function. It loads a file that defines `reward(task,
 * answer, steps, tokens, calls)`.
 */
import { answerDescriptor, lifeDescriptor, requestDescriptor } from "../../shared/processes/messages.js";

/** Function of the program that describes an error, with the innermost line in the folder of the reward function. */
const described = `def described(error):
    text, place, trace = f"{type(error).__name__}: {error}", "", error.__traceback__
    folder = os.path.dirname(os.path.abspath(sys.argv[1]))
    while trace:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(folder + os.sep):
            place = f" ({os.path.basename(file)}:{trace.tb_lineno})"
        trace = trace.tb_next
    return text + place`;

/** Returns the source text of the program. @param memoryMb memory limit of the process in MiB */
export function pythonRunner(memoryMb: number): string {
  return `
import builtins, importlib.util, inspect, json, math, operator, os, resource, signal, sys, threading

def end_with_the_gym():
    while os.read(${lifeDescriptor}, 1):
        pass
    os.kill(os.getpid(), signal.SIGKILL)

def tell(message):
    data = (json.dumps(message, allow_nan=False) + "\\n").encode()
    while data:
        data = data[os.write(${answerDescriptor}, data):]

${described}

def load(path):
    spec = importlib.util.spec_from_file_location("palestra_reward", path)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(path))
    spec.loader.exec_module(module)
    if not callable(getattr(module, "reward", None)):
        raise TypeError("expected a function called reward, but the file defines none")
    names = {"rewardRange": "reward_range", "solvedReward": "solved_reward"}
    facts = {name: getattr(module, own) for name, own in names.items() if hasattr(module, own)}
    return module.reward, facts

# Modules that most functions use. All modules would take longer than most functions take.
shared_modules = (
    "builtins collections datetime decimal fractions functools inspect itertools json json.decoder json.encoder math operator"
    " os posixpath random re signal statistics string subprocess sys threading time typing unicodedata"
).split()

def is_fresh():
    return (
        all(all(map(same, map(names.get, known), values)) for names, known, values in known_functions)
        and builtins.__dict__.keys() == known_builtins
        and os.environ._data == known_variables
        and os.getcwd() == known_folder
        and threading.active_count() <= known_threads
    )

threading.Thread(target=end_with_the_gym, daemon=True).start()
limit = ${memoryMb} * 2 ** 20
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
try:
    reward, facts = load(sys.argv[1])
    known = inspect.signature(reward).parameters
    takes_all = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in known.values())
except BaseException as error:
    tell({"kind": "unusable", "message": described(error)})
    sys.exit(1)
# What all code of the process shares. A file may change it while it is loaded: every process of the function does so alike.
same = operator.is_
known_functions = []
for module in filter(None, map(sys.modules.get, shared_modules)):
    functions = {name: value for name, value in vars(module).items() if callable(value)}
    known_functions.append((vars(module), tuple(functions), tuple(functions.values())))
known_builtins = set(vars(builtins))
known_variables, known_folder, known_threads = dict(os.environ._data), os.getcwd(), threading.active_count()
tell({"kind": "ready"})
for line in open(${requestDescriptor}, encoding="utf-8"):
    request = json.loads(line)
    id = request.pop("id")
    if not is_fresh():
        tell({"kind": "spent", "id": id})
        break
    try:
        if "facts" in request:
            tell({"kind": "answered", "id": id, "answer": facts})
            continue
        result = reward(**{name: value for name, value in request.items() if takes_all or name in known})
        result = result if isinstance(result, dict) else {"reward": result}
        value = float(result.get("reward"))
        answer = {"reward": value if math.isfinite(value) else str(value)}
        if result.get("info") is not None:
            answer["info"] = result["info"]
        if result.get("why") is not None:
            answer["why"] = result["why"]
        message = {"kind": "answered", "id": id, "answer": answer}
        json.dumps(message, allow_nan=False)
    except BaseException as error:
        message = {"kind": "threw", "id": id, "message": described(error)}
    tell(message if is_fresh() else {**message, "isSpent": True})
`;
}
