"""NumPy's NPZ: a ZIP archive of NPY members."""

import io
import zipfile
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from atgvnet.io._stored import MalformedError, Stored, check_ratio, check_shape, choose
from atgvnet.io.npy import HEADER_LIMIT, Header, describe, load

__all__ = ["decode", "encode"]

_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_MEMBERS = 256


def decode(data: bytes, variable: str | None = None) -> Stored:
    """Read the array of that name, or the only one in two dimensions."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [info for info in archive.infolist() if info.filename.endswith(".npy")]
        if len(members) > _MEMBERS:
            raise MalformedError(f"it holds {len(members)} arrays; at most {_MEMBERS} are looked at")
        info, header = _chosen(archive, members, variable)
        return Stored(array=_load(archive, info, header, len(data)), variable=_name(info))


def _chosen(
    archive: zipfile.ZipFile, members: list[zipfile.ZipInfo], variable: str | None
) -> tuple[zipfile.ZipInfo, Header]:
    """Pass over what is not a map, such as pickled objects, unless there is nothing else."""
    maps, refused = [], []
    for info in members:
        try:
            header = _header(archive, info)
        except MalformedError as error:
            refused.append(error)
        else:
            maps.append((info, header))
    if refused and not maps:
        raise refused[0]
    return choose(maps, [_name(info) for info, _ in maps], variable)


def _header(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Header:
    if info.compress_type not in _METHODS:
        raise MalformedError(
            f"its member {info.filename!r} is compressed by method {info.compress_type}, not deflate"
        )
    with archive.open(info) as stream:
        header = describe(stream.read(HEADER_LIMIT))
    check_shape(header.shape)
    return header


def _name(info: zipfile.ZipInfo) -> str:
    return info.filename.removesuffix(".npy")


def _load(archive: zipfile.ZipFile, info: zipfile.ZipInfo, header: Header, size: int) -> NDArray[Any]:
    expected = header.length + header.shape[0] * header.shape[1] * header.dtype.itemsize
    check_ratio(size, expected)
    with archive.open(info) as stream:
        return load(stream.read(expected + 1), header)


def encode(array: NDArray[Any], stream: BinaryIO, variable: str | None = None) -> None:
    """Write an archive of one array, not compressed."""
    with (
        zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive,
        archive.open(f"{variable or 'depth'}.npy", "w", force_zip64=True) as member,
    ):
        np.lib.format.write_array(member, array, allow_pickle=False)
