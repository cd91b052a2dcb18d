"""Runs one function on many cases, in processes on this machine or on a Ray cluster."""

import os
import re
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from threading import Thread, current_thread, main_thread
from typing import Any

Result = dict[str, Any]

RETRIES = 3  # retries of a case whose worker was killed
TIMEOUT = 5  # seconds to wait for a cluster's head


def local(call: Callable[[Any], Result], cases: Sequence[Any], workers: int, device: str = "cpu") -> Iterator[Result]:
    """Run cases in processes with one thread each, or in this process if there is one worker, one case or a GPU.

    A process takes seconds to start, so one case is not worth it.

    Running cases are killed at once when the caller stops or is interrupted, or when a case fails.

    Args:
        call: function from a case to its result.
        cases: cases to run.
        workers: number of processes. On a GPU there is always one, which has the memory to itself.
        device: device of the cases, as ``core.device.pick_device`` takes it.

    Yields:
        One result per case, in the order in which they finish.

    Raises:
        RuntimeError: workers died more than ``RETRIES`` times.
    """
    import torch  # imported here, so that workers start quickly

    from core.device import pick_device

    if min(workers, len(cases)) < 2 or pick_device(device).type != "cpu":
        before = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            yield from map(call, cases)
        finally:
            torch.set_num_threads(before)
        return
    remaining = list(cases)
    for _ in range(1 + RETRIES):
        with suppress(BrokenProcessPool), _pool(workers) as pool:
            with _interrupts_held():  # workers start here, so that interrupts reach only this process
                running = {pool.submit(call, case): case for case in remaining}
            for finished in as_completed(running):
                result = finished.result()
                remaining.remove(running[finished])
                yield result
            return
    raise RuntimeError(f"workers died {1 + RETRIES} times: the memory may be too small for so many")


@contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of processes. At the end of the block it is killed at once, with everything that it runs."""
    processes = _Processes()
    pool = ProcessPoolExecutor(workers, processes, initializer=_start_worker)
    try:
        yield pool
    finally:
        for worker in processes.made:
            if worker.is_alive():
                worker.terminate()
        pool.shutdown(cancel_futures=True)


class _Processes(SpawnContext):
    """Makes the processes of one pool and remembers them, so that the pool can kill them and no others."""

    def __init__(self) -> None:
        self.made: list[SpawnProcess] = []

    def Process(self, target: Callable[..., None], args: tuple[Any, ...]) -> SpawnProcess:
        self.made.append(SpawnProcess(target=target, args=args))
        return self.made[-1]


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """A context that delays keyboard interrupts until its end. Processes that start inside it never receive them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    arrived: list[int] = []
    is_main = current_thread() is main_thread()
    # A blocked signal still reaches PyTorch's threads, and Python raises in the main thread what any thread receives.
    handler = signal.signal(signal.SIGINT, lambda number, _: arrived.append(number)) if is_main else None
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if is_main:
            signal.signal(signal.SIGINT, handler)
    if arrived:
        signal.raise_signal(signal.SIGINT)


def _start_worker() -> None:
    """Worker initializer: use one thread, leave interrupts to the parent process, and exit when it exits."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_after, args=(parent_process(),), daemon=True).start()
    os.environ |= {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}  # read by PyTorch when a case imports it
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)


def _exit_after(parent: BaseProcess) -> None:
    """Wait for the parent process to exit, then exit."""
    parent.join()
    os._exit(1)


def on_ray(call: Callable[[Any], Result], cases: Sequence[Any], address: str | None) -> Iterator[Result]:
    """Run cases on a Ray cluster, each on one CPU.

    Args:
        call: function from a case to its result.
        cases: cases to run.
        address: address of the cluster's head; if None, Ray starts a cluster on this machine.

    Yields:
        One result per case, in the order in which they finish.

    Raises:
        ValueError: Ray is not installed, or there is no cluster at the address.
    """
    with cluster(address) as ray:
        yield from _on_cluster(ray, call, cases)


def _on_cluster(ray: Any, call: Callable[[Any], Result], cases: Sequence[Any]) -> Iterator[Result]:
    remote = ray.remote(num_cpus=1, max_retries=RETRIES)(_call)  # Ray accepts functions, but not partial ones
    running = [remote.remote(call, case) for case in cases]
    try:
        while running:
            (finished,), running = ray.wait(running)
            yield ray.get(finished)
    except (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError, ray.exceptions.OutOfMemoryError) as error:
        raise RuntimeError(f"workers died {1 + RETRIES} times: {error}") from None


def _call(call: Callable[[Any], Result], case: Any) -> Result:
    """Run one case; Ray calls this in a worker."""
    return call(case)


@contextmanager
def cluster(address: str | None) -> Iterator[Any]:
    """Connect to a Ray cluster during the block, and yield the module ``ray``.

    Args:
        address: address of the cluster's head; if None, Ray starts a cluster on this machine.

    Raises:
        ValueError: Ray is not installed, or there is no cluster at the address.
    """
    try:
        import ray
    except ImportError:
        raise ValueError("--engine ray needs Ray: pip install ray") from None
    try:
        if host_and_port := re.fullmatch(r"(.+):(\d+)", address or ""):  # without this check Ray would wait for minutes
            socket.create_connection((host_and_port[1], int(host_and_port[2])), timeout=TIMEOUT).close()
        ray.init(address=address, log_to_driver=False, ignore_reinit_error=True)
    except (OSError, OverflowError, RuntimeError) as error:
        raise ValueError(f"there is no Ray cluster at {address}: {str(error).splitlines()[0]}") from None
    try:
        yield ray
    finally:
        ray.shutdown()
