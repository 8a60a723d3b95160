"""Runs what ci/ holds for GitHub Actions and GitLab CI as these systems would, as far as it goes.

    ci-run.py github WORKFLOW STATE      a workflow; STATE/run.json says what started it
    ci-run.py gitlab FILE STATE          a pipeline; STATE/run.json likewise
    ci-run.py jenkins FILE               prints the shell lines of a Jenkinsfile, NUL behind each
    ci-run.py shell FILE                 prints the shell lines of a workflow or action likewise

Each job has a workspace of its own, STATE/jobs/NAME, and its log beside it. Results go to standard
output, a line "JOB RESULT" each. What the real system would refuse ends this with status 70: an
unknown key, context or input, a call that asks for more rights than it was given.

run.json for GitHub: event_name, sha, ref, base_ref, head_ref, event (the payload), run_id, attempt,
clone (a repository), token ("read" or "write"), action (the folder that stands for the repository
OWNER/perfgate), env (more variables). For GitLab: clone, checkout (a SHA), may_push, action, env (what
the system sets), project_variables (which come before those of a job).
"""
import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys

import yaml


def refuse(why):
    print("ci-run: " + why, file=sys.stderr)
    sys.exit(70)


def load(path):
    class Loader(yaml.SafeLoader):
        pass

    def mapping(loader, node, deep=False):
        keys = [loader.construct_object(k) for k, _ in node.value]
        if len(set(map(str, keys))) != len(keys):
            refuse("%s: a key twice in line %d" % (path, node.start_mark.line + 1))
        return yaml.SafeLoader.construct_mapping(loader, node, deep)

    # "on" is a key, not a truth value.
    Loader.yaml_implicit_resolvers = {
        first: [r for r in rules if r[0] != "tag:yaml.org,2002:bool"]
        for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()}
    Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))
    Loader.add_constructor("tag:yaml.org,2002:map", mapping)
    with open(path, encoding="utf-8") as f:
        return yaml.load(f, Loader)


def known(what, mapping, *keys):
    for key in mapping:
        if key not in keys:
            refuse("%s: the key %s is not known" % (what, key))


# ---- expressions of GitHub Actions ----

TOKEN = re.compile(r"\s*(?:('(?:[^']|'')*')|(\d+)|([A-Za-z_][\w.-]*)|(&&|\|\||==|!=|[!(),]))")


def text_of(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value)


class Expression:
    def __init__(self, text, contexts, status):
        self.contexts, self.status, self.tokens = contexts, status, []
        at = 0
        while text[at:].strip():
            found = TOKEN.match(text, at)
            if not found:
                refuse("expression: %s" % text)
            self.tokens.append(found.group().strip())
            at = found.end()

    def peek(self):
        return self.tokens[0] if self.tokens else None

    def take(self, *wanted):
        if self.peek() in wanted:
            return self.tokens.pop(0)
        return None

    def value(self):
        result = self.either()
        if self.tokens:
            refuse("expression: something follows: %s" % self.tokens)
        return result

    def either(self):
        left = self.both()
        while self.take("||"):
            right = self.both()
            left = left if left else right
        return left

    def both(self):
        left = self.equal()
        while self.take("&&"):
            right = self.equal()
            left = right if left else left
        return left

    def equal(self):
        left = self.unary()
        operator = self.take("==", "!=")
        if not operator:
            return left
        same = text_of(left).lower() == text_of(self.unary()).lower()
        return same == (operator == "==")

    def unary(self):
        if self.take("!"):
            return not self.unary()
        if self.take("("):
            inner = self.either()
            if not self.take(")"):
                refuse("expression: no )")
            return inner
        token = self.tokens.pop(0)
        if token[0] == "'":
            return token[1:-1].replace("''", "'")
        if token.isdigit():
            return int(token)
        return self.call(token) if self.take("(") else self.look_up(token)

    def call(self, name):
        arguments = []
        while not self.take(")"):
            arguments.append(self.either())
            self.take(",")
        if name == "fromJSON":
            return json.loads(arguments[0])
        if name not in self.status:
            refuse("expression: no function %s" % name)
        return self.status[name]

    def look_up(self, name):
        first, *rest = name.split(".")
        if first not in self.contexts:
            refuse("expression: no context %s" % name)
        value = self.contexts[first]
        for key in rest:
            if first == "inputs" and key not in value:
                refuse("expression: no input %s" % key)
            value = value.get(key) if isinstance(value, dict) else None
        return value


def fill(value, contexts, status=None):
    """A value of the file with its expressions evaluated."""
    if isinstance(value, dict):
        return {k: fill(v, contexts, status) for k, v in value.items()}
    if isinstance(value, list):
        return [fill(v, contexts, status) for v in value]
    if not isinstance(value, str):
        return value
    whole = re.fullmatch(r"\$\{\{((?:(?!\}\}).)*)\}\}", value.strip(), re.S)
    if whole:
        return Expression(whole.group(1), contexts, status or {}).value()
    return re.sub(r"\$\{\{(.*?)\}\}",
                  lambda m: text_of(Expression(m.group(1), contexts, status or {}).value()), value)


def condition(text, contexts, failed):
    status = {"always": True, "cancelled": False, "success": not failed, "failure": failed}
    if text is None:
        return not failed
    inner = re.fullmatch(r"\$\{\{(.*)\}\}", str(text).strip(), re.S)
    inner = inner.group(1) if inner else str(text)
    if not re.search(r"\b(always|cancelled|success|failure)\(", inner) and failed:
        return False
    return bool(Expression(inner, contexts, status).value())


# ---- GitHub Actions ----

SHELLS = {"sh": ["sh", "-e"], "bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail"], None: ["bash", "-e"]}
OURS = re.compile(r"OWNER/perfgate/([^@]+)@v[0-9.]+$")
LEVELS = {None: 0, "none": 0, "read": 1, "write": 2}


class Job:
    """One job of a matrix: a machine, with its workspace."""

    def __init__(self, run, state, name, job_id, contexts, rights):
        self.run, self.state, self.rights, self.failed, self.saves = run, state, rights, False, []
        self.home = os.path.join(state, "jobs", name)
        self.workspace = os.path.join(self.home, "workspace")
        self.temp = os.path.join(self.home, "temp")
        shutil.rmtree(self.home, ignore_errors=True)
        os.makedirs(self.workspace)
        os.makedirs(self.temp)
        self.log = open(os.path.join(self.home, "log"), "w", encoding="utf-8")
        self.summary = os.path.join(self.home, "summary")
        self.path = os.environ["PATH"]
        github = dict(contexts["github"], token="ghs_" + run["token"], job=job_id)
        self.contexts = dict(contexts, github=github, runner={"temp": self.temp, "os": "Linux"})
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "PERFGATE_"))}
        self.env.update({
            "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": self.workspace,
            "GITHUB_JOB": job_id, "GITHUB_RUN_ID": str(run["run_id"]),
            "GITHUB_RUN_ATTEMPT": str(run.get("attempt", 1)), "GITHUB_SHA": run["sha"],
            "GITHUB_REF": run["ref"], "GITHUB_EVENT_NAME": run["event_name"],
            "GITHUB_REF_NAME": re.sub("^refs/(heads|pull)/", "", run["ref"]),
            "GITHUB_BASE_REF": run.get("base_ref", ""), "GITHUB_HEAD_REF": run.get("head_ref", ""),
            "GITHUB_REPOSITORY": "owner/project", "RUNNER_TEMP": self.temp, "RUNNER_OS": "Linux"})
        self.env.update(run.get("env", {}))

    def steps(self, steps, contexts, where):
        """Whether one of them failed."""
        failed = False
        contexts = dict(contexts, steps={})
        for step in steps:
            known(where, step, "name", "id", "if", "run", "shell", "env", "uses", "with",
                  "continue-on-error", "working-directory")
            if not condition(step.get("if"), contexts, failed):
                continue
            outputs = {}
            if "run" in step:
                bad = self.shell(step, contexts, outputs)
            else:
                bad = self.uses(step["uses"], fill(step.get("with", {}), contexts), contexts, outputs)
            if "id" in step:
                contexts["steps"][step["id"]] = {"outputs": outputs, "outcome": "failure" if bad else "success"}
            failed = failed or (bad and not step.get("continue-on-error"))
        return failed, contexts["steps"]

    def shell(self, step, contexts, outputs):
        if "${{" in step["run"]:
            refuse("an expression within a line of shell: %s" % step["run"])
        files = {name: os.path.join(self.temp, "file-" + name) for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_ENV")}
        for path in files.values():
            open(path, "w").close()
        script = os.path.join(self.temp, "step.sh")
        with open(script, "w", encoding="utf-8") as f:
            f.write(step["run"] + "\n")
        env = dict(self.env, PATH=self.path, GITHUB_STEP_SUMMARY=self.summary, **files)
        env.update(self.action_env)
        env.update({k: text_of(v) for k, v in fill(step.get("env", {}), contexts).items()})
        self.log.write("##[group]%s\n" % step["run"])
        self.log.flush()
        done = subprocess.run(SHELLS[step.get("shell")] + [script], cwd=self.workspace, env=env,
                              stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self.log.write("##[endgroup]%d\n" % done.returncode)
        with open(files["GITHUB_OUTPUT"], encoding="utf-8") as f:
            for line in f:
                key, _, value = line.rstrip("\n").partition("=")
                outputs[key] = value
        with open(files["GITHUB_PATH"], encoding="utf-8") as f:
            for line in f:
                self.path = line.rstrip("\n") + ":" + self.path
        return done.returncode != 0

    action_env = {}

    def uses(self, what, given, contexts, outputs):
        ours = OURS.match(what)
        if ours:
            return self.composite(os.path.join(self.run["action"], ours.group(1)), given, outputs)
        official = re.fullmatch(r"actions/(checkout|cache|upload-artifact|download-artifact)@v4", what)
        if not official:
            refuse("uses: %s" % what)
        return getattr(self, official.group(1).replace("-", "_"))(given)

    def composite(self, folder, given, outputs):
        action = load(os.path.join(folder, "action.yml"))
        known("action.yml", action, "name", "description", "inputs", "outputs", "runs")
        if action["runs"]["using"] != "composite":
            refuse("action.yml: not composite")
        known("with", given, *action["inputs"])
        allowed = {k: self.contexts.get(k) for k in ("github", "strategy", "matrix", "job", "runner")}
        inputs = {k: text_of(fill(v.get("default", ""), allowed)) for k, v in action["inputs"].items()}
        inputs.update({k: text_of(v) for k, v in given.items()})
        for step in action["runs"]["steps"]:
            if "run" in step and "shell" not in step:
                refuse("action.yml: a step without shell")
        self.action_env = {"GITHUB_ACTION_PATH": folder}
        contexts = {k: v for k, v in self.contexts.items() if k not in ("needs", "secrets")}
        failed, steps = self.steps(action["runs"]["steps"], dict(contexts, inputs=inputs), "action.yml")
        self.action_env = {}
        for name, output in action["outputs"].items():
            outputs[name] = text_of(fill(output["value"], dict(allowed, steps=steps, inputs=inputs)))
        return failed

    def git(self, *arguments):
        subprocess.run(["git", "-C", self.workspace, *arguments], check=True, stdout=self.log, stderr=self.log)

    def checkout(self, given):
        known("checkout", given, "fetch-depth", "persist-credentials")
        depth = [] if given.get("fetch-depth", 1) == 0 else ["--depth=1"]
        self.git("init", "-q", ".")
        self.git("remote", "add", "origin", self.run["clone"])
        if not depth:
            self.git("fetch", "-q", "--tags", "origin", "+refs/heads/*:refs/remotes/origin/*")
        self.git("fetch", "-q", *depth, "origin", self.run["sha"])
        self.git("checkout", "-q", "--force", "--detach", self.run["sha"])
        branch = re.match("refs/heads/(?!gh-readonly-queue/)(.*)", self.run["ref"])
        if branch:
            self.git("checkout", "-q", "-B", branch.group(1))
        may_push = self.rights.get("contents") == "write" and self.run["token"] == "write"
        if not may_push or given.get("persist-credentials", True) is False:
            self.git("config", "remote.origin.pushurl", "/no/right/to/push")
        return False

    def cache(self, given):
        kept = os.path.join(self.state, "cache", given["key"])
        if os.path.isdir(kept):
            shutil.copytree(kept, given["path"], symlinks=True)
        else:
            self.saves.append((given["path"], kept))
        return False

    def save_caches(self):
        for path, kept in self.saves:
            if not self.failed and os.path.isdir(path):
                shutil.copytree(path, kept, symlinks=True)

    def artifacts(self, run_id):
        return os.path.join(self.state, "artifacts", str(run_id))

    def upload_artifact(self, given):
        known("upload-artifact", given, "name", "path", "overwrite", "if-no-files-found")
        if re.search(r'[":<>|*?\r\n\\/]', given["name"]):
            return True
        to = os.path.join(self.artifacts(self.run["run_id"]), given["name"])
        if os.path.isdir(to) and not given.get("overwrite"):
            return True
        shutil.rmtree(to, ignore_errors=True)
        source = os.path.join(self.workspace, given["path"])
        if os.path.isdir(source):
            shutil.copytree(source, to)
        return False

    def download_artifact(self, given):
        known("download-artifact", given, "name", "pattern", "path", "merge-multiple", "run-id", "github-token")
        other = str(given.get("run-id", self.run["run_id"]))
        if other != str(self.run["run_id"]) and self.rights.get("actions") != "read":
            return True
        folder, to = self.artifacts(other), os.path.join(self.workspace, given["path"])
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        if "name" in given and given["name"] not in names:
            return True
        if "pattern" in given and not given.get("merge-multiple"):
            refuse("download-artifact: one folder for each artifact is not done here")
        for name in names:
            if name == given.get("name") or ("pattern" in given and fnmatch.fnmatch(name, given["pattern"])):
                shutil.copytree(os.path.join(folder, name), to, dirs_exist_ok=True)
        return False


def rights_of(job, outer, what):
    """The rights of a job; more than it was given is what GitHub does not start."""
    asked = job.get("permissions", outer)
    for scope, level in asked.items():
        if outer is not job.get("permissions") and LEVELS[level] > LEVELS[outer.get(scope)]:
            refuse("%s asks for %s: %s, and was given less" % (what, scope, level))
    return asked


def starts(workflow, run):
    on = workflow["on"]
    on = {on: None} if isinstance(on, str) else on
    if run["event_name"] not in on:
        return False
    branches = (on[run["event_name"]] or {}).get("branches")
    branch = run.get("base_ref") or re.sub("^refs/heads/", "", run["ref"])
    return not branches or any(fnmatch.fnmatch(branch, b) for b in branches)


def run_jobs(workflow, run, state, inputs, given, prefix=""):
    github = {"event": run.get("event", {}), "event_name": run["event_name"], "ref": run["ref"],
              "sha": run["sha"], "run_id": run["run_id"], "run_attempt": run.get("attempt", 1),
              "workflow": "performance", "repository": "owner/project"}
    results = {}
    for job_id, job in workflow["jobs"].items():
        needs = job.get("needs", [])
        needs = [needs] if isinstance(needs, str) else needs
        contexts = {"github": github, "inputs": inputs, "matrix": {}, "strategy": {"job-index": 0, "job-total": 1},
                    "needs": {n: {"result": results[n]} for n in needs}}
        bad = any(results[n] != "success" for n in needs)
        if not condition(job.get("if"), contexts, bad):
            results[job_id] = "skipped"
        elif "uses" in job:
            results[job_id] = call(job, run, state, contexts, given, prefix + job_id + "-")
        else:
            results[job_id] = run_job(job_id, job, run, state, contexts, given, prefix)
        print(prefix + job_id, results[job_id])
    return "failure" if "failure" in results.values() else "success"


def call(job, run, state, contexts, given, prefix):
    known("a calling job", job, "uses", "with", "permissions", "needs", "if", "name")
    ours = OURS.match(job["uses"])
    if not ours or not re.fullmatch(r"\.github/workflows/[^/]+\.yml", ours.group(1)):
        refuse("uses: %s: a workflow lies in .github/workflows" % job["uses"])
    called = load(os.path.join(run["action"], ours.group(1)))
    declared = called["on"]["workflow_call"]["inputs"]
    known("with", job.get("with", {}), *declared)
    inputs = {k: v.get("default", "") for k, v in declared.items()}
    inputs.update(fill(job.get("with", {}), contexts))
    rights = rights_of(job, given, "the call") if "permissions" not in job else job["permissions"]
    for name, inner in called["jobs"].items():
        if "permissions" not in inner:
            refuse("the job %s has no permissions" % name)
        rights_of(inner, rights, "the called job " + name)
    return run_jobs(called, run, state, inputs, rights, prefix)


def run_job(job_id, job, run, state, contexts, given, prefix):
    known(job_id, job, "name", "needs", "if", "runs-on", "timeout-minutes", "permissions", "strategy", "steps", "outputs")
    rights = job.get("permissions", given)
    strategy = fill(job.get("strategy", {}), contexts)
    legs = strategy.get("matrix", {}).get("include", [{}])
    failed = False
    for index, leg in enumerate(legs):
        mine = dict(contexts, matrix=leg, strategy={"job-index": index, "job-total": len(legs)})
        if not fill(job["runs-on"], mine):
            refuse("%s: no runs-on" % job_id)
        one = Job(run, state, "%s%s-%d" % (prefix, job_id, index), job_id, mine, rights)
        if leg.get("dies"):
            failed = True
            continue
        one.failed, _ = one.steps(job["steps"], one.contexts, job_id)
        one.save_caches()
        one.log.close()
        failed = failed or one.failed
    return "failure" if failed else "success"


def github(path, state):
    with open(os.path.join(state, "run.json"), encoding="utf-8") as f:
        run = json.load(f)
    workflow = load(path)
    known(path, workflow, "name", "on", "concurrency", "permissions", "jobs")
    if not starts(workflow, run):
        print("not started")
        return
    print("workflow", run_jobs(workflow, run, state, {}, workflow.get("permissions", {"contents": "read"})))


# ---- GitLab CI ----

def merged(base, over):
    if isinstance(base, dict) and isinstance(over, dict):
        return {k: merged(base[k], over[k]) if k in base and k in over else over.get(k, base.get(k))
                for k in {**base, **over}}
    return over


def resolved(jobs, name):
    job = dict(jobs[name])
    parent = job.pop("extends", None)
    return merged(resolved(jobs, parent), job) if parent else job


def expand(text, env):
    return re.sub(r"\$(\w+)", lambda m: env.get(m.group(1), ""), text)


def holds(rule, env):
    left, operator, right = rule.partition(" == ")
    if not operator:
        refuse("rules: %s" % rule)
    return expand(left.strip(), env) == expand(right.strip().strip('"'), env)


def chosen(job, env):
    """When it runs; None where it does not."""
    for rule in job.get("rules", [{"when": "on_success"}]):
        known("rules", rule, "if", "when")
        if "if" not in rule or holds(rule["if"], env):
            return rule.get("when", "on_success")
    return None


def gitlab_job(name, job, run, state, env, artifacts):
    home = os.path.join(state, "jobs", name.replace("/", "-"))
    workspace = os.path.join(home, "workspace")
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(workspace)
    with open(os.path.join(home, "log"), "w", encoding="utf-8") as log:
        def git(*arguments):
            subprocess.run(["git", "-C", workspace, *arguments], check=True, stdout=log, stderr=log)
        git("init", "-q", ".")
        git("remote", "add", "origin", run["clone"])
        depth = [] if str(job["variables"].get("GIT_DEPTH", "20")) == "0" else ["--depth=20"]
        git("fetch", "-q", *depth, "origin", "+refs/heads/*:refs/remotes/origin/*", run["checkout"])
        git("checkout", "-q", "--detach", run["checkout"])
        if not run.get("may_push"):
            git("config", "remote.origin.pushurl", "/no/right/to/push")
        for folder in artifacts:
            shutil.copytree(folder, workspace, dirs_exist_ok=True)
        mine = dict(env, CI_JOB_NAME=name, CI_JOB_ID=str(abs(hash(name)) % 10**6), CI_PROJECT_DIR=workspace)
        mine.update({k: expand(str(v), mine) for k, v in job["variables"].items()})
        script = "set -eo pipefail\n" + "\n".join(job.get("before_script", []) + job["script"]) + "\n"
        done = subprocess.run(["bash", "-c", script], cwd=workspace, env=mine, stdin=subprocess.DEVNULL,
                              stdout=log, stderr=log)
    keeps = job.get("artifacts", {})
    kept = os.path.join(state, "artifacts", name.replace("/", "-"))
    shutil.rmtree(kept, ignore_errors=True)
    os.makedirs(kept)
    if done.returncode == 0 or keeps.get("when") == "always":
        reports = list(keeps.get("reports", {}).values())
        for path in keeps.get("paths", []) + reports:
            source = os.path.join(workspace, path)
            if os.path.isdir(source):
                shutil.copytree(source, os.path.join(kept, path), dirs_exist_ok=True)
            elif path not in reports:
                print("no artifact", path)
    return done.returncode


JOB_KEYS = ("stage", "variables", "before_script", "script", "rules", "artifacts", "needs", "when")


def gitlab(path, state):
    with open(os.path.join(state, "run.json"), encoding="utf-8") as f:
        run = json.load(f)
    jobs = load(path)
    own = jobs.pop("variables", {})
    variables = {}
    for include in jobs.pop("include", []):
        known("include", include, "project", "ref", "file")
        included = load(os.path.join(run["action"], include["file"]))
        variables.update(included.pop("variables", {}))
        jobs = {**included, **jobs}
    variables.update(own)
    env = {k: v for k, v in os.environ.items() if not k.startswith(("CI_", "GITLAB_", "PERFGATE_"))}
    env.update({"CI": "true", "GITLAB_CI": "true", **{k: str(v) for k, v in variables.items()}, **run["env"]})
    statuses = {}
    for name in jobs:
        job = resolved(jobs, name)
        known(name, job, *JOB_KEYS)
        if name.startswith("."):
            continue
        when = chosen(job, env)
        needs = job.get("needs", [])
        if not when or (when != "always" and any(statuses.get(n) != 0 for n in needs)):
            print(name, "skipped")
            continue
        job["variables"] = {**job.get("variables", {}), **run.get("project_variables", {})}
        folders = [os.path.join(state, "artifacts", n.replace("/", "-")) for n in needs]
        statuses[name] = gitlab_job(name, job, run, state, env, folders)
        print(name, statuses[name])


# ---- lines of shell ----

def jenkins(path):
    with open(path, encoding="utf-8") as f:
        text = re.sub(r"^\s*//.*$", "", f.read(), flags=re.M)
    bare = re.sub(r"'[^'\n]*'|\"[^\"\n]*\"", "''", text)
    for a, b in ("{}", "[]", "()"):
        if bare.count(a) != bare.count(b):
            refuse("%s: %s and %s do not match" % (path, a, b))
    if "'" in bare.replace("''", ""):
        refuse("%s: a quote is open" % path)
    if re.search(r"\bsh\s*[\"(]", text):
        refuse("%s: a line of shell in which Groovy puts values" % path)
    return re.findall(r"\bsh '([^'\n]*)'", text)


def shell(path):
    file = load(path)
    steps = file["runs"]["steps"] if "runs" in file else [s for j in file["jobs"].values() for s in j.get("steps", [])]
    return [s["run"] for s in steps if "run" in s]


if __name__ == "__main__":
    if sys.argv[1] in ("github", "gitlab"):
        globals()[sys.argv[1]](sys.argv[2], sys.argv[3])
    else:
        for one in globals()[sys.argv[1]](sys.argv[2]):
            sys.stdout.write(one + "\0")
