"""Where Spark is run: what ``--spark-master`` may say, and what follows for a session."""

from __future__ import annotations

import pytest

from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.master import UnknownMaster, addresses, cluster_conf, is_cluster, own_address, require_master
from oracles.engines.spark.start import SparkOptions
from strategies.ir import Database

LOCAL = ("local", "local[1]", "local[*]", "local[2,3]", "local[*, 4]")
CLUSTERS = (
    "local-cluster[2,1,1024]",
    "local-cluster[ 1, 2 , 512 ]",
    "spark://host:7077",
    "spark://10.0.0.1:7077,10.0.0.2:7077",
    "spark://[::1]:7077",
)
NONE = {
    "": "needs local, local[n]",
    "yarn": "needs local, local[n], local-cluster[workers,cores,MB] or spark://host:port",
    "k8s://host:443": "needs local",
    "local[]": "needs local",
    "local[two]": "needs local",
    "local-cluster[2,1]": "needs local",
    "local-cluster[0,1,1024]": "at least one worker",
    "local-cluster[2,0,1024]": "at least one core",
    "local-cluster[2,1,256]": "512 MB",
    "spark://": "nothing is no host:port",
    "spark://host": "host is no host:port (a master's port is 7077 by default)",
    "spark://:7077": ":7077 is no host:port",
    "spark://host:port": "host:port is no host:port",
    "spark://host:70770": "host:70770 is no host:port",
    "spark://a:7077,b": "b is no host:port",
}


@pytest.mark.parametrize("text", LOCAL)
def test_in_one_process_all_is_in_the_drivers_memory(text):
    require_master(text)
    assert (is_cluster(text), cluster_conf(text), addresses(text)) == (False, {}, [])


@pytest.mark.parametrize("text", CLUSTERS)
def test_on_a_cluster_it_is_not(text):
    require_master(text)
    conf = cluster_conf(text)
    assert is_cluster(text)
    assert int(conf["spark.cores.max"]) > 1
    assert int(conf["spark.default.parallelism"]) > int(conf["spark.cores.max"])


@pytest.mark.parametrize(("text", "said"), NONE.items(), ids=lambda each: each or "nothing")
def test_what_is_no_master_is_refused_in_one_line(text, said):
    with pytest.raises(UnknownMaster) as refused:
        require_master(text)
    assert said in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def test_each_master_of_a_cluster_has_an_address():
    assert addresses("spark://a:7077,[::1]:7078") == [("a", 7077), ("::1", 7078)]


def test_a_cluster_of_sparks_own_is_taken_whole():
    conf = cluster_conf("local-cluster[3,2,2048]")
    assert (conf["spark.executor.memory"], conf["spark.executor.cores"]) == ("2048m", "2")
    assert (conf["spark.cores.max"], conf["spark.default.parallelism"]) == ("6", "7")


@pytest.mark.parametrize("text", CLUSTERS)
def test_no_table_is_put_where_executors_would_find_no_rows(text):
    engine = SparkEngine(SparkOptions(jars=(), master=text))
    with pytest.raises(ValueError, match="executors see nothing"), engine.in_memory([Database(())]):
        pass


def test_the_driver_is_called_back_on_the_way_to_the_master():
    assert own_address("spark://127.0.0.1:7077") == "127.0.0.1"
    assert cluster_conf("spark://127.0.0.1:7077")["spark.driver.host"] == "127.0.0.1"


def test_a_way_that_is_not_there_leaves_the_loopback():
    assert own_address("spark://no-such-host.invalid:7077") == "127.0.0.1"
